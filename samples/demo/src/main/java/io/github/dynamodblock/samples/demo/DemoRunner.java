/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Runs a demo on the main thread of the process that a run script starts. A signal
 * interrupts it, and this process then ends when all of its children have.
 */
public final class DemoRunner {

	/** The checker found a violation. */
	public static final int STATUS_FAILED = 1;

	private static final int STATUS_USAGE = 2;

	/** What shells return for a process that Ctrl-C ended. */
	private static final int STATUS_INTERRUPTED = 130;

	private static final long CLEANUP_SECONDS = 30;

	private final Console console = new Console(System.out);

	private final int statusWithoutVerdict;

	private DemoRunner(int statusWithoutVerdict) {
		this.statusWithoutVerdict = statusWithoutVerdict;
	}

	/**
	 * Runs a demo and exits this process: with status 0 if the demo passed, 1 if it did
	 * not, 2 for wrong options, 130 if it was interrupted.
	 * @param args the options of the demo, and {@code --logs FOLDER}
	 * @param statusWithoutVerdict the exit status if the demo comes to no verdict
	 * @param demo reads the options, and returns what to run
	 */
	public static void run(String[] args, int statusWithoutVerdict, Function<CommandLine, Script> demo) {
		Script script;
		Path logs;
		try {
			CommandLine commandLine = new CommandLine(args);
			logs = Path.of(commandLine.text("--logs", "target/demo")).toAbsolutePath().normalize();
			script = demo.apply(commandLine);
			commandLine.requireAllRead();
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.exit(STATUS_USAGE);
			return;
		}
		System.exit(new DemoRunner(statusWithoutVerdict).run(script, logs));
	}

	private int run(Script script, Path logs) {
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
			status.set(runInThisThread(script, logs));
			return status.get();
		}
		finally {
			cleanedUp.countDown();
		}
	}

	private int runInThisThread(Script script, Path logs) {
		try {
			deleteLogs(logs);
			Verdict verdict;
			try (Demo demo = new Demo(logs, this.console)) {
				verdict = script.run(demo);
			}
			this.console.say(verdict.line());
			return verdict.passed() ? 0 : STATUS_FAILED;
		}
		catch (InterruptedException ex) {
			this.console.say("Interrupted: everything was stopped, and there is no verdict");
			return STATUS_INTERRUPTED;
		}
		catch (DemoFailedException ex) {
			this.console.say("FAILED " + ex.getMessage());
			return this.statusWithoutVerdict;
		}
		catch (IOException | RuntimeException ex) {
			ex.printStackTrace();
			this.console.say("FAILED " + ex);
			return this.statusWithoutVerdict;
		}
	}

	private static void deleteLogs(Path logs) throws IOException {
		Files.createDirectories(logs);
		try (DirectoryStream<Path> old = Files.newDirectoryStream(logs, "*.log")) {
			for (Path log : old) {
				Files.delete(log);
			}
		}
	}

	private static void awaitCleanup(CountDownLatch cleanedUp) {
		try {
			if (!cleanedUp.await(CLEANUP_SECONDS, TimeUnit.SECONDS)) {
				System.err.println("Not every process ended within " + CLEANUP_SECONDS + " s");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** What a demo does. */
	@FunctionalInterface
	public interface Script {

		/**
		 * Runs the demo.
		 * @param demo starts the processes, which end with the demo
		 * @throws DemoFailedException if the demo cannot go on
		 */
		Verdict run(Demo demo) throws IOException, InterruptedException, DemoFailedException;

	}

}
