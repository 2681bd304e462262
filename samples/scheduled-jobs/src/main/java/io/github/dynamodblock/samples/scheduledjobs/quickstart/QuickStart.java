/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.samples.scheduledjobs.NightlyReport;

/**
 * Starts DynamoDB Local and the nodes, kills one of them, and ends with a verdict.
 */
public final class QuickStart {

	/** As in {@code application.yml}. */
	static final Duration LEASE = Duration.ofSeconds(4);

	private static final int STATUS_FAILED = 1;

	private static final int STATUS_USAGE = 2;

	/** What shells give for a process that Ctrl-C ended. */
	private static final int STATUS_INTERRUPTED = 130;

	private static final long CLEANUP_SECONDS = 30;

	private final Options options;

	private final Screen screen = new Screen(System.out);

	private QuickStart(Options options) {
		this.options = options;
	}

	/**
	 * Runs the quick start and ends this process.
	 * @param args {@code --duration SECONDS}, {@code --nodes NUMBER},
	 * {@code --keep-running}, {@code --logs FOLDER}
	 */
	public static void main(String[] args) {
		System.exit(run(args));
	}

	private static int run(String[] args) {
		Options options;
		try {
			options = Options.parse(args);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			return STATUS_USAGE;
		}
		return new QuickStart(options).runUntilEndOrSignal();
	}

	/**
	 * Runs in this thread. A signal interrupts it, and the process then ends when it has
	 * cleaned up behind itself.
	 */
	private int runUntilEndOrSignal() {
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
			status.set(run());
			return status.get();
		}
		finally {
			cleanedUp.countDown();
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

	private int run() {
		try {
			Verdict verdict = play();
			this.screen.say(verdict.line());
			return verdict.passed() ? 0 : STATUS_FAILED;
		}
		catch (InterruptedException ex) {
			this.screen.say("Interrupted: everything was stopped, and there is no verdict");
			return STATUS_INTERRUPTED;
		}
		catch (RunFailedException ex) {
			this.screen.say(Verdict.failed(ex.why()).line());
			return STATUS_FAILED;
		}
		catch (IOException | IllegalArgumentException ex) {
			this.screen.say(Verdict.failed(ex.toString()).line());
			return STATUS_FAILED;
		}
	}

	private void prepareLogs() throws IOException {
		Files.createDirectories(this.options.logs());
		try (DirectoryStream<Path> old = Files.newDirectoryStream(this.options.logs(), "*.log")) {
			for (Path log : old) {
				Files.delete(log);
			}
		}
	}

	private Verdict play() throws IOException, InterruptedException, RunFailedException {
		prepareLogs();
		int fewestRuns = (int) this.options.duration().toSeconds();
		Rules rules = new Rules(this.options.nodes(), LEASE, NightlyReport.TICK, NightlyReport.LOCK, fewestRuns);
		try (Database database = Database.start(this.options.logs())) {
			this.screen.say("DynamoDB Local listens at " + database.endpoint() + "; logs are in "
					+ this.options.logs().toAbsolutePath().normalize());
			try (Nodes nodes = new Nodes(this.options.logs(), database.endpoint())) {
				return new Show(this.options, rules, nodes, this.screen).play();
			}
		}
	}

}
