/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What a script runs on the main thread of this process, so that it ends in order also
 * when a signal ends it.
 */
public final class ForegroundRun {

	private static final int STATUS_FAILED = 1;

	/** What shells give for a process that Ctrl-C ended. */
	private static final int STATUS_INTERRUPTED = 130;

	private static final long CLEANUP_SECONDS = 30;

	private ForegroundRun() {
	}

	/**
	 * Runs in this thread. A signal interrupts it, and the process then ends when it has
	 * cleaned up behind itself.
	 * @param body what to run
	 * @param say says the last line to the user
	 * @return the exit status: 0 if the body passed, 1 if it failed, 130 if it was
	 * interrupted
	 */
	public static int run(Body body, Consumer<String> say) {
		return run(body, STATUS_FAILED, say);
	}

	/**
	 * Like {@link #run(Body, Consumer)}, with an exit status of its own for a run that
	 * came to no result.
	 * @param body what to run
	 * @param statusWithoutResult the exit status if the body throws an exception
	 * @param say says the last line to the user
	 * @return the exit status: 0 if the body passed, 1 if it did not, the given one if it
	 * threw an exception, 130 if it was interrupted
	 */
	public static int run(Body body, int statusWithoutResult, Consumer<String> say) {
		Thread runner = Thread.currentThread();
		CountDownLatch cleanedUp = new CountDownLatch(1);
		AtomicInteger status = new AtomicInteger(STATUS_INTERRUPTED);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			if (cleanedUp.getCount() > 0) {
				runner.interrupt();
				awaitCleanup(cleanedUp);
				Runtime.getRuntime().halt(status.get());
			}
		}, "signal"));
		try {
			status.set(runInThisThread(body, statusWithoutResult, say));
			return status.get();
		}
		finally {
			cleanedUp.countDown();
		}
	}

	private static int runInThisThread(Body body, int statusWithoutResult, Consumer<String> say) {
		try {
			return body.run() ? 0 : STATUS_FAILED;
		}
		catch (InterruptedException ex) {
			say.accept("Interrupted: everything was stopped, and there is no verdict");
			return STATUS_INTERRUPTED;
		}
		catch (RunFailedException ex) {
			say.accept("FAILED " + ex.why());
			return statusWithoutResult;
		}
		catch (IOException | RuntimeException ex) {
			ex.printStackTrace();
			say.accept("FAILED " + ex);
			return statusWithoutResult;
		}
	}

	private static void awaitCleanup(CountDownLatch cleanedUp) {
		try {
			if (!cleanedUp.await(CLEANUP_SECONDS, TimeUnit.SECONDS)) {
				System.err.println("Not everything ended within " + CLEANUP_SECONDS + " s");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Makes the folder for the logs, and deletes those of an earlier run.
	 * @param logs the folder
	 * @throws IOException if that cannot be done
	 */
	public static void prepareLogs(Path logs) throws IOException {
		Files.createDirectories(logs);
		try (DirectoryStream<Path> old = Files.newDirectoryStream(logs, "*.log")) {
			for (Path log : old) {
				Files.delete(log);
			}
		}
	}

	/**
	 * What is run.
	 */
	@FunctionalInterface
	public interface Body {

		/**
		 * Runs it, and cleans up.
		 * @return whether it passed
		 * @throws IOException if a process or a file fails
		 * @throws InterruptedException if a signal ends it
		 * @throws RunFailedException if it cannot go on
		 */
		boolean run() throws IOException, InterruptedException, RunFailedException;

	}

}
