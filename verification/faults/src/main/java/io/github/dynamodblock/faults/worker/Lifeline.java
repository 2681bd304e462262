/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The standard input of a process that must not outlive its parent.
 */
public final class Lifeline {

	private Lifeline() {
	}

	/**
	 * Ends this process as soon as its standard input ends, in whatever state it is.
	 * @param lines given what the parent writes, line by line
	 */
	public static void watch(Consumer<String> lines) {
		Thread thread = new Thread(() -> read(lines), "lifeline");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Ends this process at once.
	 * @param text why
	 * @param cause what went wrong
	 */
	public static void cut(String text, Exception cause) {
		System.err.println(text + ": " + cause);
		Runtime.getRuntime().halt(1);
	}

	private static void read(Consumer<String> lines) {
		try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				lines.accept(line);
			}
			Runtime.getRuntime().halt(1);
		}
		catch (IOException ex) {
			cut("The standard input could not be read", ex);
		}
	}

}
