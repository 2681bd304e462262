/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.ParentProcess;
import io.github.dynamodblock.verification.harness.Reporter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A process with a lock client, which its parent orders to acquire, hold, write and
 * release. It carries out one order after the other, and ends with its standard input.
 */
final class LockNode {

	/** The order to acquire a lock, followed by its key. */
	static final String ACQUIRE = "acquire";

	/** The order to release the lock. */
	static final String RELEASE = "release";

	/**
	 * The order to acquire and release a lock over and over, followed by its key and by
	 * milliseconds.
	 */
	static final String CONTEND = "contend";

	/** The order to write through the lock. */
	static final String WRITE = "write";

	/**
	 * The order to write with the condition that was made when the lock was acquired,
	 * without asking the lock client whether the lock is held.
	 */
	static final String WRITE_PREPARED = "write-prepared";

	/** The lock is held. The first number is the fencing token. */
	static final String GRANTED = "GRANTED";

	/** The release begins. The first number is the fencing token. */
	static final String RELEASING = "RELEASING";

	/** An order was carried out. */
	static final String DONE = "DONE";

	/** A write was committed. */
	static final String WRITTEN = "WRITTEN";

	/** A write was refused. The subject says by what. */
	static final String REFUSED = "REFUSED";

	/** The lock client refused a write, since it knows that the lock is lost. */
	static final String BY_CLIENT = "client";

	/** DynamoDB refused a write, since the lock's condition is not met. */
	static final String BY_DYNAMODB = "DynamoDB";

	/** An order failed. The subject is the exception's type. */
	static final String FAILED = "FAILED";

	/**
	 * A call was made. The subject is the operation, and the numbers are thousandths of
	 * write units and read units.
	 */
	static final String CALLED = "CALLED";

	/** The item that guarded writes change, in the lock table. */
	static final String GUARDED_ITEM = "guarded-item";

	/** Its attribute that names the last writer. */
	static final String WRITER = "writer";

	private static final int THOUSAND = 1000;

	private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

	private static final Duration HOLD = Duration.ofMillis(5);

	/** So that the next holder is usually another process. */
	private static final Duration PAUSE = Duration.ofMillis(50);

	private final Reporter reporter = Reporter.toParent();

	private final String table;

	private final DynamoDbClient dynamoDb;

	private final LockClient locks;

	private @Nullable HeldLock lock;

	private @Nullable ConditionCheck prepared;

	private LockNode(String table, Duration lease) {
		this.table = table;
		// The limit is the parent's, which counts the calls of all of its nodes.
		Meter meter = new Meter(Meter.LIMIT, (operation, writes, reads) -> this.reporter.report(CALLED, operation,
				Math.round(writes * THOUSAND), Math.round(reads * THOUSAND)));
		this.dynamoDb = Target.ofThisProcess().newClient(meter);
		this.locks = LockClient.builder(this.dynamoDb)
			.tableName(table)
			.leaseDuration(lease)
			.ownerName(this.reporter.node())
			.build();
	}

	/**
	 * Runs until the parent process closes the standard input.
	 * @param args the lock table, and the lease in milliseconds
	 */
	public static void main(String[] args) {
		LockNode node = new LockNode(args[0], Duration.ofMillis(Long.parseLong(args[1])));
		node.reporter.report(Event.READY, "");
		// Orders take long, so that the end of the input is awaited on another thread.
		ExecutorService worker = Executors.newSingleThreadExecutor();
		ParentProcess.takeOrders((order) -> worker.execute(() -> node.carryOut(order)));
		System.exit(0);
	}

	/** Adds a reported call to the meter of the parent. */
	static void count(Event called, Meter meter) {
		meter.add(called.subject(), (double) called.number(0) / THOUSAND, (double) called.number(1) / THOUSAND);
	}

	private void carryOut(String order) {
		String[] words = order.split(" ", -1);
		try {
			switch (words[0]) {
				case ACQUIRE -> acquire(words[1]);
				case RELEASE -> release();
				case CONTEND -> contend(words[1], Duration.ofMillis(Long.parseLong(words[2])));
				case WRITE -> write();
				case WRITE_PREPARED -> writePrepared();
				default -> throw new IllegalArgumentException("Unknown order '" + order + "'");
			}
			this.reporter.report(DONE, words[0]);
		}
		catch (InterruptedException | RuntimeException ex) {
			ex.printStackTrace();
			this.reporter.report(FAILED, ex.getClass().getSimpleName());
		}
	}

	private HeldLock acquire(String key) throws InterruptedException {
		HeldLock acquired = this.locks.acquire(LockRequest.of(key).waitTime(LONGEST_WAIT));
		this.reporter.report(GRANTED, key, acquired.fencingToken());
		this.lock = acquired;
		this.prepared = acquired.conditionCheck();
		return acquired;
	}

	private HeldLock lock() {
		if (this.lock == null) {
			throw new IllegalStateException("No lock was acquired");
		}
		return this.lock;
	}

	private void release() {
		HeldLock held = lock();
		this.reporter.report(RELEASING, held.key().partition(), held.fencingToken());
		held.release();
	}

	private void contend(String key, Duration time) throws InterruptedException {
		Instant end = Instant.now().plus(time);
		while (Instant.now().isBefore(end)) {
			acquire(key);
			Thread.sleep(HOLD.toMillis());
			release();
			Thread.sleep(PAUSE.toMillis());
		}
	}

	private void write() throws InterruptedException {
		try {
			lock().transactWrite(List.of(guardedWrite()));
			this.reporter.report(WRITTEN, "");
		}
		catch (LockLostException ex) {
			this.reporter.report(REFUSED, BY_CLIENT);
		}
	}

	private void writePrepared() {
		ConditionCheck condition = this.prepared;
		try {
			this.dynamoDb.transactWriteItems((transaction) -> transaction
				.transactItems(TransactWriteItem.builder().conditionCheck(condition).build(), guardedWrite()));
			this.reporter.report(WRITTEN, "");
		}
		catch (TransactionCanceledException ex) {
			List<String> codes = ex.cancellationReasons().stream().map(CancellationReason::code).toList();
			this.reporter.report(REFUSED,
					codes.equals(List.of("ConditionalCheckFailed", "None")) ? BY_DYNAMODB : codes.toString());
		}
	}

	private TransactWriteItem guardedWrite() {
		Map<String, AttributeValue> item = Map.of("key", AttributeValue.fromS(GUARDED_ITEM), WRITER,
				AttributeValue.fromS(this.reporter.node()));
		return TransactWriteItem.builder().put((put) -> put.tableName(this.table).item(item)).build();
	}

}
