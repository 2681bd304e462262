/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.dynamodblock.faults.network.CallFault;
import io.github.dynamodblock.faults.network.LinkState;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Lets things go wrong: what, where, when and for how long is the seed's choice. Several
 * faults go on side by side, each at a place of its own.
 */
public final class Nemesis {

	private static final Duration LONGEST_LEASE = Duration.ofSeconds(4);

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Target target;

	private final Random random;

	private final Deck deck;

	private final Duration meanPause;

	private final List<Fault> faults = new ArrayList<>();

	private final List<String> failures = new ArrayList<>();

	private final Set<String> busy = new HashSet<>();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "nemesis");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * @param target what it works on
	 * @param kinds what it does
	 * @param meanPause the mean time between two faults
	 * @param seed of its choices
	 */
	public Nemesis(Target target, Set<FaultKind> kinds, Duration meanPause, long seed) {
		this.target = target;
		this.random = new Random(seed);
		this.deck = new Deck(kinds, this.random);
		this.meanPause = meanPause;
	}

	/**
	 * Lets things go wrong for a time, and returns when all is well again.
	 * @param duration how long new faults begin
	 * @param enough asked before each fault whether it is time to end already
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public void run(Duration duration, BooleanSupplier enough) throws InterruptedException {
		long end = System.nanoTime() + duration.toNanos();
		while (System.nanoTime() < end && !enough.getAsBoolean()) {
			begin(this.deck.next());
			pause(end - System.nanoTime());
		}
		awaitEnd();
	}

	/**
	 * Does as many things as are wanted, but for those whose place is taken, and returns
	 * when all is well again.
	 */
	void run(int cards) throws InterruptedException {
		for (int dealt = 0; dealt < cards; dealt++) {
			begin(this.deck.next());
			pause(Long.MAX_VALUE);
		}
		awaitEnd();
	}

	private void pause(long mostNanos) throws InterruptedException {
		long pause = (long) (this.meanPause.toNanos() * 2 * this.random.nextDouble());
		TimeUnit.NANOSECONDS.sleep(Math.max(0, Math.min(pause, mostNanos)));
	}

	private void awaitEnd() throws InterruptedException {
		this.threads.shutdown();
		if (!this.threads.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
			failed("A fault did not end within " + PATIENCE);
		}
	}

	/** What went wrong, in the order in which it was over. */
	public synchronized List<Fault> faults() {
		return List.copyOf(this.faults);
	}

	/** What the nemesis could not do or mend; empty if all went as it wanted. */
	public synchronized List<String> failures() {
		return List.copyOf(this.failures);
	}

	private synchronized void failed(String text) {
		this.failures.add(text);
	}

	private void begin(FaultKind kind) {
		@Nullable Integer node = isAtANode(kind) ? this.random.nextInt(this.target.nodes()) : null;
		String place = kind.place().name() + ((node != null) ? "-" + node : "");
		Step step = step(kind, node);
		synchronized (this) {
			if (excludes(kind) || !this.busy.add(place)) {
				return;
			}
		}
		this.threads.execute(() -> carryOut(kind, node, place, step));
	}

	/** DynamoDB that is away has no table to delete. */
	private boolean excludes(FaultKind kind) {
		return switch (kind.place()) {
			case TABLE -> this.busy.contains(FaultKind.Place.DATABASE.name());
			case DATABASE -> this.busy.contains(FaultKind.Place.TABLE.name());
			default -> false;
		};
	}

	private static boolean isAtANode(FaultKind kind) {
		return kind.place() == FaultKind.Place.PROCESS || kind.place() == FaultKind.Place.LINK;
	}

	private void carryOut(FaultKind kind, @Nullable Integer node, String place, Step step) {
		long from = System.nanoTime();
		try {
			step.action().run();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			failed(kind.title() + " was interrupted");
		}
		catch (IOException | DemoFailedException | RuntimeException ex) {
			failed(kind.title() + ": " + ex);
		}
		synchronized (this) {
			this.faults.add(new Fault(kind, node, from, System.nanoTime(), step.detail()));
			this.busy.remove(place);
		}
	}

	/** All that is random about a fault is chosen here, in one thread. */
	private Step step(FaultKind kind, @Nullable Integer node) {
		int where = (node != null) ? node : 0;
		CallFault callFault = kind.callFault();
		if (callFault != null) {
			double share = 0.1 + 0.5 * this.random.nextDouble();
			return linkFault(where, LinkState.faulty(callFault, share), between(1000, 5000));
		}
		return switch (kind) {
			case KILL -> step(between(100, 3000), (time) -> this.target.kill(where, time));
			case SHORT_PAUSE -> step(between(100, 1500), (time) -> this.target.pause(where, time));
			case LONG_PAUSE -> step(LONGEST_LEASE.plus(between(-1500, 3000)), (time) -> this.target.pause(where, time));
			case CUT -> linkFault(where, LinkState.CUT, between(200, 5000));
			case BLACK_HOLE -> linkFault(where, LinkState.BLACK_HOLE, between(500, 7000));
			case SLOW -> linkFault(where, LinkState.slow(between(20, 700)), between(1000, 5000));
			case DELETED_ITEM -> {
				int lock = this.random.nextInt(this.target.locks());
				yield new Step("lock " + lock, () -> this.target.deleteItem(lock));
			}
			case NEW_TABLE -> step(between(0, 1500), this.target::recreateTable);
			case DATABASE_RESTART -> new Step("", this.target::restartDatabase);
			case DATABASE_PAUSE -> step(between(300, 3500), this.target::pauseDatabase);
			default -> throw new IllegalArgumentException(kind + " is no fault that begins in the middle of a run");
		};
	}

	private Step linkFault(int node, LinkState state, Duration time) {
		return step(time, (length) -> {
			this.target.link(node, state);
			try {
				TimeUnit.NANOSECONDS.sleep(length.toNanos());
			}
			finally {
				this.target.link(node, LinkState.FINE);
			}
		});
	}

	private Duration between(int leastMillis, int mostMillis) {
		return Duration.ofMillis(leastMillis + this.random.nextInt(mostMillis - leastMillis));
	}

	private static Step step(Duration time, TimedAction action) {
		return new Step(time.toMillis() + " ms", () -> action.run(time));
	}

	private record Step(String detail, Action action) {
	}

	private interface Action {

		void run() throws IOException, InterruptedException, DemoFailedException;

	}

	private interface TimedAction {

		void run(Duration time) throws IOException, InterruptedException;

	}

}
