/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The process that started this one: it hears what this one writes to its standard
 * output, and gives orders through the standard input. That ends when the parent wants
 * this process to end, and also when the parent dies.
 */
public final class ParentProcess {

	/** What the line begins with that says where this process listens. */
	static final String LISTENS_AT = "Listens at ";

	private ParentProcess() {
	}

	/**
	 * Tells the parent that this process is ready.
	 * @param address where it listens
	 */
	public static void tellAddress(String address) {
		System.out.println(LISTENS_AT + address);
	}

	/**
	 * Takes orders until the parent wants this process to end.
	 * @param orders what to do with an order, which is a line of text
	 * @throws IOException if the standard input cannot be read
	 */
	public static void takeOrders(Consumer<String> orders) throws IOException {
		BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = reader.readLine(); order != null; order = reader.readLine()) {
			orders.accept(order);
		}
	}

	/**
	 * Takes orders on a thread of its own, which ends this process when the parent wants
	 * it to.
	 * @param orders what to do with an order
	 */
	public static void obey(Consumer<String> orders) {
		Thread thread = new Thread(() -> {
			try {
				takeOrders(orders);
			}
			catch (IOException ex) {
				System.err.println("The standard input cannot be read, so this process ends: " + ex);
			}
			System.exit(0);
		}, "parent-process");
		thread.setDaemon(true);
		thread.start();
	}

}
