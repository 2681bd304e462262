/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
import io.github.dynamodblock.faults.process.Database;
import io.github.dynamodblock.faults.process.WorkerProcess;
import io.github.dynamodblock.faults.wire.MessageServer;
import io.github.dynamodblock.faults.worker.DynamoDbClients;
import io.github.dynamodblock.faults.worker.GuardedCounter;
import io.github.dynamodblock.faults.worker.WorkerSettings;
import io.github.dynamodblock.table.LockTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * All that runs: DynamoDB Local, the workers, a link from each of them to it, and what
 * the locks guard. Thread-safe.
 */
final class Cluster implements Target, AutoCloseable {

	static final String TABLE = "locks";

	private static final Pattern KEY = Pattern.compile("lock-(\\d+)");

	/** What workers call themselves: node and incarnation, and something random. */
	private static final Pattern OWNER_NAME = Pattern.compile("node-(\\d+)\\.(\\d+)-.*");

	private static final Duration END_LIMIT = Duration.ofMinutes(3);

	private final RunSettings settings;

	private final History history;

	private final Random random;

	private final CallMeter meter = new CallMeter();

	private final Database database;

	private final DynamoDbClient dynamoDb;

	private final MessageServer messages;

	private final List<FaultyLink> links;

	private final Map<Integer, WorkerProcess> workers = new TreeMap<>();

	private final Map<FaultKind, Integer> clocks = new TreeMap<>();

	private Cluster(RunSettings settings, History history, Database database, MessageServer messages) {
		this.settings = settings;
		this.history = history;
		this.database = database;
		this.messages = messages;
		this.random = new Random(settings.seed() + 1);
		this.dynamoDb = DynamoDbClients.at(database.port());
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
	 * @throws IOException if a process does not start
	 */
	static Cluster start(RunSettings settings, History history) throws IOException {
		Path logs = settings.directory();
		Database database = Database.start(logs.resolve("database"), logs.resolve("database.log"));
		Cluster cluster = new Cluster(settings, history, database,
				new MessageServer(history, RunSettings.LOCKS, System::nanoTime));
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
		Matcher key = KEY.matcher(claim.key());
		Matcher owner = OWNER_NAME.matcher(claim.ownerName());
		if (key.matches() && owner.matches()) {
			this.history.applied(Integer.parseInt(key.group(1)), claim.token(),
					new Owner(Integer.parseInt(owner.group(1)), Integer.parseInt(owner.group(2))));
		}
	}

	private synchronized void startWorker(Owner owner) throws IOException {
		double rate = clockRate(owner);
		Duration lease = Duration.ofMillis(2000 + 500 * this.random.nextInt(5));
		WorkerSettings worker = new WorkerSettings(owner, this.settings.kind(), this.messages.port(),
				this.links.get(owner.node()).port(), TABLE, RunSettings.LOCKS, RunSettings.THREADS, lease, rate,
				this.random.nextLong());
		this.workers.put(owner.node(),
				WorkerProcess.start(worker, this.settings.directory().resolve("node-" + owner.node() + ".log")));
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

	private synchronized WorkerProcess worker(int node) {
		WorkerProcess worker = this.workers.get(node);
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
		WorkerProcess worker = worker(node);
		checkAlive(worker);
		Owner owner = worker.settings().owner();
		this.history.died(owner, System.nanoTime());
		worker.kill();
		TimeUnit.NANOSECONDS.sleep(absence.toNanos());
		startWorker(new Owner(node, owner.incarnation() + 1));
	}

	@Override
	public void pause(int node, Duration time) throws IOException, InterruptedException {
		WorkerProcess worker = worker(node);
		Interval when = worker.pause(time);
		this.history.paused(worker.settings().owner(), when);
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
					(request) -> request.tableName(TABLE).key(Map.of("key", AttributeValue.fromS("lock-" + lock))));
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
	public void restartDatabase() throws IOException, InterruptedException {
		this.database.restart();
	}

	@Override
	public void pauseDatabase(Duration time) throws IOException, InterruptedException {
		this.database.pause(time);
	}

	/**
	 * Tells all workers to stop, and waits until they have.
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	void stopWorkers() throws InterruptedException {
		List<WorkerProcess> all;
		synchronized (this) {
			all = new ArrayList<>(this.workers.values());
		}
		for (WorkerProcess worker : all) {
			try {
				worker.askToStop();
			}
			catch (IOException ex) {
				this.history.found(Rule.WORKER, "process " + worker.settings().owner() + " had ended: " + ex);
			}
		}
		for (WorkerProcess worker : all) {
			if (!worker.awaitEnd(END_LIMIT)) {
				this.history.found(Rule.WORKER, "process " + worker.settings().owner() + " did not end well within "
						+ END_LIMIT.toSeconds() + " s of being told to");
			}
		}
	}

	private void checkAlive(WorkerProcess worker) {
		if (!worker.isAlive()) {
			this.history.found(Rule.WORKER, "process " + worker.settings().owner() + " ended by itself");
		}
	}

	@Override
	public synchronized void close() throws IOException {
		this.workers.values().forEach(WorkerProcess::kill);
		this.links.forEach(FaultyLink::close);
		this.messages.close();
		this.dynamoDb.close();
		this.database.close();
	}

}
