/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;

import org.springframework.core.env.PropertyResolver;

/**
 * Runs an instance of the lock server with DynamoDB Local until Ctrl-C, to be tried by
 * hand.
 */
public final class ByHand {

	private ByHand() {
	}

	/**
	 * Runs until a signal ends this process.
	 * @param args {@code --port=NUMBER}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, ByHand::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver options) {
		int port = options.getProperty("port", Integer.class, 8080);
		return (demo) -> run(demo, port);
	}

	private static Verdict run(Demo demo, int port) throws IOException, DemoFailedException, InterruptedException {
		demo.startDynamoDb();
		NodeProcess instance = LockServerDemo.start(demo, "instance-1", "lock-server", port);
		demo.console().say("The lock server is up at " + instance.awaitReady() + "; Ctrl-C ends it");
		try {
			instance.awaitEnd();
		}
		catch (InterruptedException ex) {
			// This is how the user ends it.
		}
		return Verdict.ok("the lock server has been stopped");
	}

}
