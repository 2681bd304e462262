/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.nemesis.Target;
import io.github.dynamodblock.faults.network.AppliedClaim;
import io.github.dynamodblock.faults.network.CallMeter;
import io.github.dynamodblock.faults.network.FaultyLink;
import io.github.dynamodblock.faults.network.LinkState;
import io.github.dynamodblock.faults.worker.GuardedCounter;
import io.github.dynamodblock.faults.worker.LockKeys;
import io.github.dynamodblock.faults.worker.Worker;
import io.github.dynamodblock.faults.worker.WorkerSettings;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.table.LockTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * All that runs: DynamoDB Local, the workers, a link from each of them to it, and what
 * the locks guard. Thread-safe.
 */
final class Cluster implements Target, AutoCloseable {

	static final String TABLE = "locks";

	/** What workers call themselves: node and incarnation, and something random. */
	private static final Pattern OWNER_NAME = Pattern.compile("node-(\\d+)\\.(\\d+)-.*");

	private static final String HEAP = "96m";

	/** Longer than workers that are asked to end take to halt. */
	private static final long END_MINUTES = 4;

	private final RunSettings settings;

	private final History history;

	private final Random random;

	private final CallMeter meter = new CallMeter();

	private final Database database;

	private final DynamoDbClient dynamoDb;

	private final Coordinator coordinator;

	private final List<FaultyLink> links;

	private final Map<Integer, Node> workers = new TreeMap<>();

	private final Map<FaultKind, Integer> clocks = new TreeMap<>();

	private volatile boolean stopping;

	private Cluster(RunSettings settings, History history, Database database, Coordinator coordinator) {
		this.settings = settings;
		this.history = history;
		this.database = database;
		this.coordinator = coordinator;
		this.random = new Random(settings.seed() + 1);
		this.dynamoDb = DynamoDbLocal.client(database.endpoint().toString());
		this.links = IntStream.range(0, RunSettings.NODES)
			.mapToObj(
					(node) -> FaultyLink.start(database.endpoint(), this.meter, this::applied, settings.seed() + node))
			.toList();
	}

	/**
	 * Starts everything.
	 * @param settings what the run is like
	 * @param history where everything is reported
	 * @return the cluster, whose workers may not be at work yet
	 * @throws IOException if a process cannot be started
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 * @throws DemoFailedException if DynamoDB Local does not come up
	 */
	static Cluster start(RunSettings settings, History history)
			throws IOException, InterruptedException, DemoFailedException {
		Database database = new Database(settings.directory());
		Cluster cluster = new Cluster(settings, history, database, new Coordinator(history, RunSettings.LOCKS));
		try {
			LockTable.of(cluster.dynamoDb, TABLE).createIfMissing();
			// Its key is that of a lock table, and nothing else is needed.
			LockTable.of(cluster.dynamoDb, GuardedCounter.TABLE).createIfMissing();
			for (int node = 0; node < RunSettings.NODES; node++) {
				cluster.startWorker(new Owner(node, 1));
			}
			return cluster;
		}
		catch (IOException | RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	/** Claims of the coordinator are not checked. */
	private void applied(AppliedClaim claim) {
		Matcher owner = OWNER_NAME.matcher(claim.ownerName());
		if (owner.matches()) {
			this.history.applied(LockKeys.lock(claim.key()), claim.token(),
					new Owner(Integer.parseInt(owner.group(1)), Integer.parseInt(owner.group(2))));
		}
	}

	private synchronized void startWorker(Owner owner) throws IOException {
		double rate = clockRate(owner);
		Duration lease = Duration.ofMillis(2000 + 500 * this.random.nextInt(5));
		WorkerSettings worker = new WorkerSettings(owner, this.settings.kind(), this.coordinator.history(),
				this.coordinator.resources(), this.links.get(owner.node()).port(), TABLE, RunSettings.LOCKS,
				RunSettings.THREADS, lease, rate, this.random.nextLong(), this.settings.previousClassPath() != null);
		List<String> command = List.of(Worker.class.getName(), worker.argument());
		String previous = this.settings.isPrevious(owner) ? this.settings.previousClassPath() : null;
		String classPath = (previous != null) ? previous : System.getProperty("java.class.path");
		this.workers.put(owner.node(), new Node(owner, NodeProcess.start("node-" + owner, this.settings.directory(),
				HEAP, classPath, command, NodeProcess.Environment.LOCAL, (event) -> check(owner, event))));
	}

	private void check(Owner owner, Event event) {
		boolean expected = this.history.deaths().containsKey(owner) || (this.stopping && event.number(0) == 0);
		if (event.is(Event.ENDED) && !expected) {
			this.history.found(Rule.WORKER, "process " + owner + " ended with status " + event.number(0));
		}
	}

	private double clockRate(Owner owner) {
		double rate = this.settings.faults().contains(FaultKind.CLOCK_RATE) ? ClockRates.next(owner, this.random) : 1;
		if (ClockRates.isWild(rate)) {
			this.history.wildClock(owner);
			this.clocks.merge(FaultKind.WILD_CLOCK_RATE, 1, Integer::sum);
		}
		else if (rate != 1) {
			this.clocks.merge(FaultKind.CLOCK_RATE, 1, Integer::sum);
		}
		return rate;
	}

	private synchronized Node worker(int node) {
		Node worker = this.workers.get(node);
		if (worker == null) {
			throw new IllegalArgumentException("There is no node " + node);
		}
		return worker;
	}

	/** How many processes had a clock that is wrong. */
	synchronized Map<FaultKind, Integer> clocks() {
		return new TreeMap<>(this.clocks);
	}

	/** Reads what was committed to the guarded counters until now. */
	void readGuardedCounters() {
		for (int lock = 0; lock < RunSettings.LOCKS; lock++) {
			this.history.committed(lock, GuardedCounter.updates(this.dynamoDb, lock));
		}
	}

	CallMeter meter() {
		return this.meter;
	}

	DynamoDbClient dynamoDb() {
		return this.dynamoDb;
	}

	@Override
	public int nodes() {
		return RunSettings.NODES;
	}

	@Override
	public int locks() {
		return RunSettings.LOCKS;
	}

	@Override
	public void kill(int node, Duration absence) throws IOException, InterruptedException {
		Node worker = worker(node);
		this.history.died(worker.owner(), System.nanoTime());
		worker.process().kill();
		worker.process().close();
		TimeUnit.NANOSECONDS.sleep(absence.toNanos());
		startWorker(new Owner(node, worker.owner().incarnation() + 1));
	}

	@Override
	public void pause(int node, Duration time) throws IOException, InterruptedException {
		Node worker = worker(node);
		long from = System.nanoTime();
		Database.pause(worker.process(), time);
		this.history.paused(worker.owner(), new Interval(from, System.nanoTime()));
	}

	@Override
	public void link(int node, LinkState state) {
		this.links.get(node).set(state);
	}

	@Override
	public void deleteItem(int lock) {
		long from = System.nanoTime();
		try {
			this.dynamoDb.deleteItem(
					(request) -> request.tableName(TABLE).key(Map.of("key", AttributeValue.fromS(LockKeys.key(lock)))));
		}
		finally {
			this.history.deleted(lock, new Interval(from, System.nanoTime()));
		}
	}

	@Override
	public void recreateTable(Duration absence) throws InterruptedException {
		long from = System.nanoTime();
		try {
			this.dynamoDb.deleteTable((request) -> request.tableName(TABLE));
			TimeUnit.NANOSECONDS.sleep(absence.toNanos());
		}
		finally {
			LockTable.of(this.dynamoDb, TABLE).createIfMissing();
			this.history.deleted(History.ALL, new Interval(from, System.nanoTime()));
		}
	}

	@Override
	public void restartDatabase() throws IOException, InterruptedException, DemoFailedException {
		this.database.restart();
	}

	@Override
	public void pauseDatabase(Duration time) throws IOException, InterruptedException {
		this.database.pause(time);
	}

	/**
	 * Asks all workers to stop, and waits until they have, well or not.
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	synchronized void stopWorkers() throws InterruptedException {
		this.stopping = true;
		this.workers.values().forEach((worker) -> worker.process().askToEnd());
		// The history reports those that have to be killed.
		CompletableFuture.delayedExecutor(END_MINUTES, TimeUnit.MINUTES)
			.execute(() -> this.workers.values().forEach((worker) -> worker.process().kill()));
		for (Node worker : this.workers.values()) {
			try {
				worker.process().awaitEnd();
			}
			catch (DemoFailedException ex) {
				// The history says so.
			}
		}
	}

	@Override
	public synchronized void close() throws IOException {
		this.workers.values().forEach((worker) -> worker.process().kill());
		this.links.forEach(FaultyLink::close);
		this.coordinator.close();
		this.dynamoDb.close();
		this.database.close();
	}

	private record Node(Owner owner, NodeProcess process) {
	}

}
