/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.ParentProcess;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The program of a worker. It stops in an orderly way when its standard input ends, and
 * at once when it can no longer report, since then the coordinator has gone.
 */
public final class Worker {

	private static final int MOST_MINUTES_TO_STOP = 3;

	private final WorkerSettings settings;

	private final AtomicBoolean stopping = new AtomicBoolean();

	private Worker(WorkerSettings settings) {
		this.settings = settings;
	}

	/**
	 * Runs a worker until it is told to stop.
	 * @param arguments see {@link WorkerSettings#argument()}
	 * @throws Exception if it cannot go on
	 */
	public static void main(String[] arguments) throws Exception {
		Worker worker = new Worker(WorkerSettings.of(arguments[0]));
		Thread parent = new Thread(worker::awaitEndOfInput, "parent");
		parent.setDaemon(true);
		parent.start();
		worker.run();
		// Nothing that a library has left running keeps the process.
		System.exit(0);
	}

	private void awaitEndOfInput() {
		ParentProcess.takeOrders((order) -> {
			// There are none.
		});
		this.stopping.set(true);
		CompletableFuture.delayedExecutor(MOST_MINUTES_TO_STOP, TimeUnit.MINUTES)
			.execute(() -> end("Not stopped after " + MOST_MINUTES_TO_STOP + " minutes"));
	}

	private static void end(String why) {
		System.err.println(why);
		Runtime.getRuntime().halt(1);
	}

	private void run() throws InterruptedException {
		try (DynamoDbClient dynamoDb = DynamoDbLocal.client("http://127.0.0.1:" + this.settings.dynamoDbPort());
				Locks locks = locks(dynamoDb)) {
			List<Thread> threads = new ArrayList<>();
			for (int number = 0; number < this.settings.threads(); number++) {
				Workload workload = new Workload(number, this.settings, locks, dynamoDb);
				Thread thread = new Thread(() -> run(workload), "workload-" + number);
				thread.start();
				threads.add(thread);
			}
			for (Thread thread : threads) {
				thread.join();
			}
		}
	}

	private void run(Workload workload) {
		try {
			workload.run(this.stopping::get);
		}
		catch (IOException | InterruptedException ex) {
			end("The workload cannot go on: " + ex);
		}
	}

	private Locks locks(DynamoDbClient dynamoDb) {
		return switch (this.settings.kind()) {
			case OURS, UNAWARE -> new OurLocks(dynamoDb, this.settings);
			case AWS -> new AwsLocks(dynamoDb, this.settings);
			case NONE -> new NoLocks();
		};
	}

}
