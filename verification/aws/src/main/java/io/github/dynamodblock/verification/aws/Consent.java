/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.dynamodblock.verification.harness.DemoFailedException;

/** Asks before anything is created or deleted. */
final class Consent {

	private Consent() {
	}

	/**
	 * Waits for the answer to a question that was printed.
	 * @param input the terminal
	 * @param otherwise what to report if the answer is not {@code yes}
	 * @throws DemoFailedException if it is not, or if there is no answer
	 */
	static void await(InputStream input, String otherwise) throws InterruptedException, DemoFailedException {
		CompletableFuture<String> answer = new CompletableFuture<>();
		// A read of the terminal cannot be interrupted, but the wait for it can.
		Thread reader = new Thread(() -> {
			try {
				String line = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)).readLine();
				answer.complete((line != null) ? line.strip() : "");
			}
			catch (IOException ex) {
				answer.complete("");
			}
		}, "consent");
		reader.setDaemon(true);
		reader.start();
		try {
			if (!answer.get().equals("yes")) {
				throw new DemoFailedException(otherwise);
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
