/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The process that started this one, as this one sees it. It sends orders through the
 * standard input, whose end means that this process is to end. The operating system
 * closes it as well if the parent dies.
 */
public final class ParentProcess {

	private ParentProcess() {
	}

	/**
	 * Reports that this process is up, and returns when it is to end.
	 * @param address where it listens
	 */
	public static void serve(String address) {
		Reporter.toParent().report(Event.READY, address);
		takeOrders((order) -> {
			// A server has no orders.
		});
	}

	/**
	 * Takes orders until this process is to end.
	 * @param orders receives each order, which is a line of text
	 */
	public static void takeOrders(Consumer<String> orders) {
		new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).lines().forEach(orders);
	}

	/**
	 * Takes orders on a separate thread, which exits this process when it is to end.
	 * @param orders receives each order
	 */
	static void takeOrdersInBackground(Consumer<String> orders) {
		Thread thread = new Thread(() -> {
			try {
				takeOrders(orders);
			}
			catch (RuntimeException ex) {
				System.err.println("Commands can no longer be read, so this process ends: " + ex);
			}
			finally {
				System.exit(0);
			}
		}, "parent-process");
		thread.setDaemon(true);
		thread.start();
	}

}
