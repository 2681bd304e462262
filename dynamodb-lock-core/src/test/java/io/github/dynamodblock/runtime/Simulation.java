/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;

/**
 * One run: real clients in simulated processes on a simulated table, in virtual time, of
 * whose threads one runs at a time. Its seed decides everything.
 */
final class Simulation {

	private static final Duration AUDIT = Duration.ofSeconds(12);

	/** A property by which every seed has a global table. */
	static final String ACROSS_REGIONS = "simulation.acrossRegions";

	private static final long TICK = Duration.ofMillis(700).toNanos();

	private final long seed;

	private final VirtualTime time = new VirtualTime();

	private final Chance chance;

	private final Scenario scenario;

	private final List<LockKey> locks;

	private final RunHistory history;

	private final SafetyChecks checks;

	private final SimulatedTable table;

	private final @Nullable SimulatedRegions regions;

	private final SimulatedNetwork network;

	private final SimulatedThreads threads = new SimulatedThreads();

	/** Those that live, and those that died or closed. */
	private final List<SimulatedClient> everyClient = new ArrayList<>();

	private final List<SimulatedClient> clients = new ArrayList<>();

	/** Those that closed after the faults, and have no reason not to come to an end. */
	private final Set<SimulatedClient> closedInCalm = new HashSet<>();

	private final List<LockToken> tokens = new ArrayList<>();

	private final List<Expected> expected = new ArrayList<>();

	private boolean settling;

	private int transactions;

	private Simulation(long seed, boolean recording) {
		this.seed = seed;
		this.chance = new Chance(seed);
		this.scenario = Scenario.of(this.chance, permits(seed), isHurried(seed), isAcrossRegions(seed));
		this.locks = IntStream.range(0, this.scenario.keys())
			.boxed()
			.flatMap((number) -> permitted(number).keys().stream())
			.toList();
		this.history = new RunHistory(this.time, recording);
		this.checks = new SafetyChecks(this.time, this.scenario, this.history, this.clients);
		this.table = new SimulatedTable(this.checks, this.time::nanos);
		this.regions = this.scenario.acrossRegions()
				? new SimulatedRegions(this.time, this.table, new Chance(seed), this.checks::count) : null;
		this.network = new SimulatedNetwork(this.time, this.table, this.regions, this.chance.split(), this.history,
				this.scenario.trouble(), this.checks::violation);
	}

	/**
	 * Runs a seed.
	 * @param seed the seed
	 * @return what came of it
	 */
	static Outcome run(long seed) {
		return new Simulation(seed, false).run();
	}

	/**
	 * Runs a seed and writes down what happens.
	 * @param seed the seed
	 * @return what came of it, with the history
	 */
	static Outcome record(long seed) {
		return new Simulation(seed, true).run();
	}

	private Outcome run() {
		try {
			letTimePass();
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.checks.violation("the client failed unexpectedly: " + ex);
		}
		Outcome outcome = new Outcome(this.seed, List.copyOf(this.checks.violations()),
				Map.copyOf(this.checks.counts()), List.copyOf(this.history.lines()));
		this.threads.end();
		return outcome;
	}

	private void letTimePass() {
		this.history.add("seed", this.seed + ": " + this.scenario);
		for (int number = 1; number <= this.scenario.clients(); number++) {
			begin("c" + number);
		}
		new Nemesis(this, this.time, this.table, this.regions, this.chance.split()).begin();
		this.time.pass(Scenario.FAULTS);
		calmDown();
		this.time.pass(Scenario.SETTLING);
		this.clients.stream().filter((client) -> !client.isClosing() && this.chance.in(0.5)).forEach((client) -> {
			this.closedInCalm.add(client);
			client.close(true);
		});
		this.time.pass(AUDIT);
		audit();
	}

	private void calmDown() {
		this.history.add("faults", "end");
		this.settling = true;
		this.network.calmDown();
		this.table.createTable();
		if (this.regions != null) {
			this.regions.calmDown();
		}
		this.clients.forEach((client) -> {
			client.process().resume(false);
			client.process().cutOff(false);
			client.process().leave(false);
			client.process().calmDown();
		});
	}

	/** In the end everyone has been told, every lock can be had, and nothing is left. */
	private void audit() {
		this.everyClient.stream().filter((client) -> !client.process().isDead()).forEach(this::checkNothingIsLeft);
		this.expected.forEach((each) -> {
			if (!each.client().process().isDead() && !each.future().isDone()) {
				this.checks.violation(each.client() + " waits indefinitely");
			}
		});
		SimulatedClient auditor = newClient("audit");
		for (LockKey key : this.locks) {
			AcquisitionTask task = auditor.start(auditor.terms(LockRequest.of(key).waitTime(Duration.ofSeconds(4))),
					auditor.process().background());
			this.time.pass(Duration.ofSeconds(5));
			if (!task.outcome().isDone() || task.outcome().join().handle() == null) {
				this.checks.violation("lock " + key + " is not free in the end");
			}
		}
		auditor.close(true);
		this.time.pass(AUDIT);
		if (this.time.pending() > 0) {
			this.checks.violation(this.time.pending() + " tasks are left in the end");
		}
	}

	private void checkNothingIsLeft(SimulatedClient client) {
		if (client.begun().stream().anyMatch((task) -> !task.outcome().isDone())) {
			this.checks.violation(client + " has not told a caller");
		}
		if (client.isCutShort() && !this.closedInCalm.contains(client)) {
			return;
		}
		if (client.begun().stream().anyMatch((task) -> !task.settled().isDone())
				|| !client.state().acquiring().isEmpty()) {
			this.checks.violation(client + " has not settled an acquisition");
		}
		if (!client.state().holdings().isEmpty()) {
			this.checks.violation(client + " still knows handles: " + client.handles());
		}
		if (client.reported() != 0) {
			this.checks.violation(client + " has not reported the end of a lock: " + client.reported());
		}
		this.locks.forEach((key) -> checkNoTurnIsLeft(client, key));
	}

	private void checkNoTurnIsLeft(SimulatedClient client, LockKey key) {
		if (!client.state().queue().enter(key, (each) -> {
		})) {
			this.checks.violation(client + " has left a turn in the queue for " + key);
		}
	}

	private void begin(String name) {
		SimulatedClient client = newClient(name);
		this.clients.add(client);
		for (int number = 0; number < this.scenario.callers(); number++) {
			new SimulatedCaller(this, client, this.chance.split()).begin();
		}
	}

	private SimulatedClient newClient(String name) {
		int incarnation = this.everyClient.size() + 1;
		Duration error = this.scenario.wallClockError(this.chance);
		SimulatedClocks clocks = new SimulatedClocks(this.time, this.scenario.clockRate(this.chance), error,
				this.chance.nanos(0, 1_000_000));
		List<SimulatedClient> holder = new ArrayList<>();
		SimulatedProcess process = new SimulatedProcess(name + "." + incarnation, this.time, clocks,
				this.chance.split(), this.network, this.threads, this.checks,
				(any) -> holder.forEach(this.checks::after), this.scenario);
		if (this.settling) {
			process.calmDown();
		}
		if (this.regions != null) {
			process.leave(this.regions.hasLeft(process));
		}
		SimulatedClient client = new SimulatedClient(process, Duration.ofMillis(this.chance.of(Scenario.LEASES)),
				this.scenario);
		holder.add(client);
		this.everyClient.add(client);
		return client;
	}

	/** The application is started again after its process has ended. */
	void restart(SimulatedClient ended) {
		if (!this.settling) {
			begin(ended.toString().substring(0, 2));
		}
	}

	Scenario scenario() {
		return this.scenario;
	}

	RunHistory history() {
		return this.history;
	}

	SafetyChecks checks() {
		return this.checks;
	}

	List<SimulatedClient> clients() {
		return this.clients;
	}

	/** Whether there are no more faults and no new work. */
	boolean isSettling() {
		return this.settling;
	}

	/** What jobs run for now. */
	long tick() {
		return this.time.nanos() / TICK;
	}

	/** Any lock, or slot of a semaphore. */
	LockKey key(Chance chance) {
		return chance.of(this.locks);
	}

	/** A request for a lock, for a permit, or for a certain slot. */
	LockRequest wanted(Chance chance) {
		if (this.scenario.permits() == 1 || chance.in(0.1)) {
			return LockRequest.of(key(chance));
		}
		return permitted(chance.between(0, this.scenario.keys() - 1));
	}

	/**
	 * One seed in ten is about semaphores; the others are about locks, which need more.
	 */
	private static int permits(long seed) {
		return (seed % 10 == 9) ? 2 + (int) (seed / 10 % 2) : 1;
	}

	/**
	 * In one seed in ten, and half of those about semaphores, threads hold locks so
	 * shortly that clients hand them on.
	 */
	private static boolean isHurried(long seed) {
		return seed % 10 == 4 || seed % 40 == 19 || seed % 40 == 29;
	}

	/** One seed in twenty has a global table; {@link #ACROSS_REGIONS} gives it to all. */
	private static boolean isAcrossRegions(long seed) {
		return seed % 20 == 18 || Boolean.getBoolean(ACROSS_REGIONS);
	}

	private LockRequest permitted(int number) {
		return LockRequest.of("lock-" + number).permits(this.scenario.permits());
	}

	void putToken(LockToken token) {
		this.network.detached(token.recordVersionNumber());
		this.tokens.add(token);
	}

	/** A detached lock's token; now and then others have it too. */
	@Nullable LockToken takeToken(Chance chance) {
		if (this.tokens.isEmpty()) {
			return null;
		}
		int which = chance.between(0, this.tokens.size() - 1);
		return chance.in(0.2) ? this.tokens.get(which) : this.tokens.remove(which);
	}

	/** Somebody waits for this, and is to be told in the end. */
	void expect(SimulatedClient client, CompletableFuture<?> future) {
		this.expected.add(new Expected(client, future));
	}

	/**
	 * A thread that stalls between reading the time that is left and setting a timer
	 * delays that much.
	 */
	void checkToldInTime(SimulatedClient client, AcquisitionTask task, long stalledBefore) {
		SimulatedProcess process = client.process();
		LeaseTerms lease = task.terms().lease();
		boolean awaitsOwner = task.terms().request().awaitSilentOwner();
		// The lease of a silent owner, and the call that takes its lock over.
		long awaiting = awaitsOwner ? lease.leaseDuration().toNanos() + 2 * lease.callLimitNanos() : 0;
		long late = process.clocks().observerNanos() - task.terms().answerDeadline() - awaiting
				- (process.stalled() - stalledBefore);
		// A process that was paused at the end of the wait extends it once it continues,
		// with the answer to one call, and for the time of its own clock.
		long extension = process.clocks().trueNanos(awaitsOwner ? awaiting + lease.callLimitNanos() : 0);
		if (late > SafetyChecks.SLACK && !process.wasStalled(SafetyChecks.SLACK + extension)) {
			this.checks.violation(client + " notified a caller " + Duration.ofNanos(late) + " too late");
		}
	}

	/**
	 * A caller that asked alone must not be stopped by a claim of its own. A claim of
	 * another caller, which began since, even while this one's thread stalled, may stop
	 * it, and so may one in another name.
	 */
	void checkNotStoppedByItself(SimulatedClient client, AcquisitionTask task, Step.End end, int versionsBefore,
			int begunBefore) {
		LockRecord holder = (end instanceof Step.Denied denied) ? denied.holder()
				: (end instanceof Step.ConditionNotMet notMet) ? notMet.found() : null;
		boolean alone = !client.startsAnother(task) && client.begun()
			.stream()
			.skip(begunBefore)
			.filter((other) -> mayMeet(other.terms(), task.terms()))
			.allMatch((other) -> other == task);
		boolean ownName = holder != null && holder.ownerName().equals(task.terms().ownerName());
		if (holder != null && ownName && alone && this.checks.isUntold(holder.recordVersionNumber())
				&& client.process().madeSince(versionsBefore, holder.recordVersionNumber())) {
			this.checks.violation(client + " was stopped by its own claim: " + holder);
		}
	}

	private static boolean mayMeet(AcquisitionTerms one, AcquisitionTerms other) {
		return !Collections.disjoint(one.request().keys(), other.request().keys());
	}

	/**
	 * An acquisition that ends without a lock must not leave a claim unresolved, unless
	 * its client had no time left to clean up, because calls hung while it closed.
	 */
	void checkSettled(SimulatedClient client, AcquisitionTask task) {
		AcquisitionTerms terms = task.terms();
		LeaseHandle granted = task.outcome().isDone() ? task.outcome().join().handle() : null;
		if (granted != null) {
			this.network.resolved(client.process(), granted.key(), terms.ownerName());
		}
		for (LockKey key : terms.request().keys()) {
			// Not only what has begun: a thread can stall while it begins.
			boolean othersGoOn = client.state()
				.acquiring()
				.stream()
				.map((other) -> ((AcquisitionTask) other).terms())
				.anyMatch(
						(other) -> other.request().keys().contains(key) && other.ownerName().equals(terms.ownerName()));
			if (!othersGoOn && !client.isCutShort()
					&& this.network.isUnresolved(client.process(), key, terms.ownerName())) {
				this.checks.violation(client + " forgot a claim for " + key);
			}
		}
	}

	/** A write in one transaction with the condition that the lock is still held. */
	void guardedWrite(SimulatedClient client, SafetyChecks.Grant grant, Guard guard) {
		if (this.regions != null) {
			// No transaction can contain it.
			return;
		}
		long way = this.chance.in(this.scenario.trouble()) ? this.chance.nanos(0, 4000) : this.network.latency();
		this.time.at(way, () -> {
			boolean applied = this.table.guardedWrite(guard);
			this.history.add(client, applied ? "has written under" : "cannot write under", grant);
			this.checks.count(applied ? "guarded writes" : "refused guarded writes");
			if (applied) {
				this.checks.guardedWriteApplied(grant);
			}
		});
	}

	/** A guarded write by the handle, which repeats it until its effect is known. */
	@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
	CompletableFuture<Step.End> transactWrite(SimulatedClient client, SafetyChecks.Grant grant, LeaseHandle lock,
			Executor thread) {
		ObservedWrite write = new ObservedWrite(this.checks, grant);
		this.history.add(client, "transacts under", grant);
		CompletableFuture<Step.End> ended = lock.runner()
			.commit(write.transaction("t" + this.transactions++, () -> this.chance.in(0.9)), thread);
		expect(client, ended);
		ended.thenAccept((end) -> {
			this.history.add(client, "has transacted", lock.key(), end);
			write.ended(end);
		});
		return ended;
	}

	/** An administrator frees a lock, by some client's process. */
	void forceRelease(LockRecord lock, Chance chance) {
		SimulatedClient client = chance.of(this.clients);
		client.process().handle(() -> {
			if (!client.isClosing()) {
				this.history.add(client, "frees by force", lock.key(), lock.ownerName());
				this.checks.forces(lock);
				expect(client, client.detached().forceRelease(lock.key(), lock.ownerName()));
			}
		});
	}

	/**
	 * What came of a run.
	 *
	 * @param seed its seed
	 * @param violations what must not have happened
	 * @param counts what happened how often
	 * @param history what happened, if it was recorded
	 */
	record Outcome(long seed, List<String> violations, Map<String, Integer> counts, List<String> history) {

		/** The violations and all that led to them. */
		String description() {
			return "Seed " + this.seed + " violates: " + String.join("; ", this.violations) + "\n"
					+ String.join("\n", this.history);
		}

	}

	private record Expected(SimulatedClient client, CompletableFuture<?> future) {
	}

}
