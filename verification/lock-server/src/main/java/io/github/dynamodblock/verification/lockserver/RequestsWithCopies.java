/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.lockserver.Instance.UnavailableException;
import io.github.dynamodblock.verification.lockserver.Instance.UnexpectedAnswerException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.PropertyResolver;

/**
 * Sends many requests for locks, and copies of earlier ones among them, and compares each
 * answer with the only one that is right. Nothing waits: the requests for a lock are sent
 * one after the other, each to any of the instances, and leases do not end meanwhile.
 */
final class RequestsWithCopies {

	private static final int THREADS = 16;

	private static final double COPY = 0.45;

	/** The others have an id for each acquisition. */
	private static final double KEPT_ID = 0.6;

	private static final int REQUESTS_OF_A_LOCK = 500;

	private static final int MOST_COPIED = 30;

	private final List<Instance> instances;

	private final int requests;

	private final AtomicInteger sent = new AtomicInteger();

	private final AtomicInteger copies = new AtomicInteger();

	private final AtomicInteger grants = new AtomicInteger();

	private final AtomicInteger unavailable = new AtomicInteger();

	/**
	 * Prepares requests.
	 * @param instances the instances of the service
	 * @param requests how many are sent
	 */
	RequestsWithCopies(List<Instance> instances, int requests) {
		this.instances = instances;
		this.requests = requests;
	}

	/**
	 * Runs and exits this process.
	 * @param args {@code --requests=NUMBER}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, RequestsWithCopies::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver options) {
		int requests = options.getRequiredProperty("requests", Integer.class);
		return (demo) -> run(demo, requests);
	}

	private static Verdict run(Demo demo, int requests) throws IOException, InterruptedException, DemoFailedException {
		demo.startDynamoDb();
		List<NodeProcess> processes = List.of(LockServerDemo.start(demo, "instance-1", "lock-server", 0),
				LockServerDemo.start(demo, "instance-2", "lock-server", 0));
		List<Instance> instances = new ArrayList<>();
		for (NodeProcess process : processes) {
			instances.add(new Instance(process.name(), process.awaitReady()));
		}
		demo.console().say(requests + " requests are sent to two instances, copies of earlier ones among them");
		return new RequestsWithCopies(instances, requests).run();
	}

	/**
	 * Sends the requests.
	 * @return what was wrong with the answers
	 */
	Verdict run() throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<Void>> players = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				String locks = "lock-" + i + "-";
				players.add(threads.submit(() -> play(locks)));
			}
			for (Future<Void> player : players) {
				player.get();
			}
		}
		catch (ExecutionException ex) {
			return Verdict.failed(String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()));
		}
		finally {
			threads.shutdownNow();
		}
		return Verdict.ok(this.requests + " requests, " + this.copies
				+ " of them late copies: no lease ended early, no " + "next hold was freed; " + this.grants
				+ " acquisitions granted, " + this.unavailable + " requests unavailable");
	}

	private Void play(String locks) throws Exception {
		for (int number = 0; this.sent.get() < this.requests; number++) {
			try {
				playLock(locks + number);
			}
			catch (UnavailableException ex) {
				// Whether it was carried out is unknown, so that the lock is left.
				this.unavailable.incrementAndGet();
			}
		}
		return null;
	}

	private void playLock(String lock)
			throws IOException, InterruptedException, UnavailableException, UnexpectedAnswerException {
		LockModel model = new LockModel();
		List<Request> earlier = new ArrayList<>();
		for (int i = 0; i < REQUESTS_OF_A_LOCK && this.sent.getAndIncrement() < this.requests; i++) {
			boolean copy = !earlier.isEmpty() && random().nextDouble() < COPY;
			Request request = copy ? earlier.get(random().nextInt(earlier.size())).copy() : next(lock, i, model);
			long sentMillis = System.currentTimeMillis();
			Answer answer = this.instances.get(random().nextInt(this.instances.size())).send(request);
			String fault = model.answered(request, answer, sentMillis, System.currentTimeMillis());
			if (fault != null) {
				throw new IllegalStateException(fault);
			}
			this.copies.addAndGet(copy ? 1 : 0);
			this.grants
				.addAndGet((request.action() == Request.Action.ACQUIRE && answer instanceof Answer.Granted) ? 1 : 0);
			if (!copy) {
				earlier.add(request);
				if (earlier.size() > MOST_COPIED) {
					earlier.remove(0);
				}
			}
		}
	}

	/** What a client may want next; only the holder renews and releases. */
	private static Request next(String lock, int number, LockModel model) {
		String holder = model.holder();
		String key = "key-" + number;
		int choice = random().nextInt(10);
		if (holder != null && choice < 3) {
			return Request.renew(lock, holder, 1 + random().nextInt(100), key).limitedTo(model.latestToken());
		}
		if (holder != null && choice < 6) {
			return Request.release(lock, holder).limitedTo(model.latestToken());
		}
		if (choice == 9) {
			return Request.look(lock, "reader");
		}
		boolean kept = random().nextDouble() < KEPT_ID;
		String client = kept ? "kept-" + random().nextInt(2) : "new-" + number;
		Request acquisition = Request.acquire(lock, client, 3_600 + random().nextInt(3_600));
		return (kept || random().nextBoolean()) ? acquisition.marked(key) : acquisition;
	}

	private static Random random() {
		return ThreadLocalRandom.current();
	}

}
