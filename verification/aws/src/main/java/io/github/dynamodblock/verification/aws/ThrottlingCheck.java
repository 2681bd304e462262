/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.table.LockTable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;

/**
 * Acquires locks of a table of one write unit until DynamoDB throttles, and for some time
 * longer.
 */
final class ThrottlingCheck implements Check {

	private static final Duration AT_MOST = Duration.ofSeconds(60);

	private static final Duration THROTTLED = Duration.ofSeconds(3);

	/** More than DynamoDB lets a new table of one write unit do in a burst. */
	private static final int ACQUISITIONS = 1500;

	/** How long a thread waits for a lock, and for its release. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final int THREADS = 16;

	private static final int KEYS = 4;

	private static final String NAMED = "was throttled";

	/** Longer than the calls are throttled, with much time to spare. */
	private static final Duration LEASE = Duration.ofSeconds(30);

	private final Duration lease;

	private final ExecutionInterceptor[] interceptors;

	ThrottlingCheck() {
		this(LEASE);
	}

	/**
	 * Creates the check.
	 * @param lease the lease of locks that are held meanwhile
	 * @param interceptors see every call as well
	 */
	ThrottlingCheck(Duration lease, ExecutionInterceptor... interceptors) {
		this.lease = lease;
		this.interceptors = interceptors;
	}

	@Override
	public String title() {
		return "Throttling on a table of one write unit";
	}

	@Override
	public Outcome run(RunContext context) throws InterruptedException {
		Throttles throttles = new Throttles();
		List<ExecutionInterceptor> all = new ArrayList<>(List.of(throttles));
		all.addAll(List.of(this.interceptors));
		try (DynamoDbClient dynamoDb = context.newClient(all.toArray(ExecutionInterceptor[]::new));
				LogCapture log = new LogCapture()) {
			String table = createTable(context, dynamoDb);
			Load load = new Load(throttles);
			List<String> violations = new ArrayList<>();
			try (LockClient holder = LockClient.builder(dynamoDb).tableName(table).leaseDuration(this.lease).build();
					LockClient one = LockClient.builder(dynamoDb).tableName(table).build();
					LockClient other = LockClient.builder(dynamoDb).tableName(table).build()) {
				List<HeldLock> held = List.of(holder.acquire("held-1"), holder.acquire("held-2"));
				load.run(one, other);
				for (HeldLock lock : held) {
					renew(lock, violations);
				}
				// The table is deleted, and releases may still be throttled.
				List.of(holder, one, other).forEach(LockClient::closeWithoutReleasing);
			}
			violations.addAll(load.violations);
			return outcome(throttles.count.get(), load, log.warnings(), violations);
		}
	}

	private static Outcome outcome(long throttled, Load load, List<String> warnings, List<String> violations) {
		List<String> reports = new ArrayList<>(load.reports);
		reports.addAll(warnings);
		String loaded = load.granted.get() + " acquisitions by " + THREADS + " threads";
		List<String> named = reports.stream().filter((report) -> report.contains(NAMED)).toList();
		if (throttled > 0 && named.isEmpty()) {
			violations.add("DynamoDB throttled " + throttled + " calls, but no exception and no warning says \"" + NAMED
					+ "\"");
		}
		if (throttled == 0 && violations.isEmpty()) {
			return Outcome.notProvoked("No call of " + loaded + " was throttled");
		}
		return Outcome
			.of(violations,
					throttled + " calls of " + loaded
							+ " were throttled; no lock was lost or granted twice, and what is reported names it")
			.with(named.stream()
				.limit(1)
				.flatMap((line) -> List.of("", "For example: `" + line + "`").stream())
				.toList());
	}

	private static void renew(HeldLock lock, List<String> violations) throws InterruptedException {
		try {
			lock.renew();
			lock.ensureHeld();
		}
		catch (LockException ex) {
			violations.add("A lock that was held meanwhile is not held any more: " + ex.getMessage());
		}
	}

	private static String createTable(RunContext context, DynamoDbClient dynamoDb) {
		String name = context.tables().name("throttled");
		dynamoDb.createTable(RunTables.creation(name)
			.billingMode(BillingMode.PROVISIONED)
			.provisionedThroughput((units) -> units.writeCapacityUnits(1L).readCapacityUnits(1L))
			.build());
		LockTable.of(dynamoDb, name).withoutTimeToLive().check();
		return name;
	}

	/** Threads of two clients that contend for a few locks. */
	private static final class Load {

		private final Throttles throttles;

		private final AtomicReferenceArray<HeldLock> holders = new AtomicReferenceArray<>(KEYS);

		private final AtomicInteger begun = new AtomicInteger();

		private final AtomicInteger granted = new AtomicInteger();

		private final Queue<String> reports = new ConcurrentLinkedQueue<>();

		private final Queue<String> violations = new ConcurrentLinkedQueue<>();

		private final long start = System.nanoTime();

		Load(Throttles throttles) {
			this.throttles = throttles;
		}

		void run(LockClient one, LockClient other) throws InterruptedException {
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			try {
				for (int i = 0; i < THREADS; i++) {
					LockClient client = (i % 2 == 0) ? one : other;
					threads.execute(() -> acquireAndRelease(client));
				}
				threads.shutdown();
				if (!threads.awaitTermination(2 * AT_MOST.toSeconds(), TimeUnit.SECONDS)) {
					this.violations.add("Acquisitions under load do not come to an end");
				}
			}
			finally {
				threads.shutdownNow();
			}
		}

		private void acquireAndRelease(LockClient client) {
			while (goesOn()) {
				int key = this.begun.getAndIncrement() % KEYS;
				LockRequest request = LockRequest.of("load-" + key).waitTime(PATIENCE);
				try {
					HeldLock lock = client.acquire(request);
					this.granted.incrementAndGet();
					HeldLock before = this.holders.getAndSet(key, lock);
					if (before != null && before.isHeld() && lock.isHeld()) {
						this.violations.add("Two clients held lock 'load-" + key + "' at the same time");
					}
					this.holders.compareAndSet(key, lock, null);
					lock.release(ReleaseRequest.create().waitTime(PATIENCE));
				}
				catch (LockException ex) {
					this.reports.add(String.valueOf(ex.getMessage()));
				}
				catch (InterruptedException ex) {
					return;
				}
			}
		}

		private boolean goesOn() {
			long now = System.nanoTime();
			long first = this.throttles.first.get();
			return (first == 0) ? now - this.start < AT_MOST.toNanos() && this.begun.get() < ACQUISITIONS
					: now - first < THROTTLED.toNanos();
		}

	}

	/** Counts the calls that DynamoDB throttles. */
	private static final class Throttles implements ExecutionInterceptor {

		private final AtomicLong count = new AtomicLong();

		/** When the first one was; 0 before. */
		private final AtomicLong first = new AtomicLong();

		@Override
		public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
			if (context.exception() instanceof AwsServiceException ex && ex.isThrottlingException()) {
				this.first.compareAndSet(0, System.nanoTime());
				this.count.incrementAndGet();
			}
		}

	}

}
