/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertyResolver;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * Runs a demo in the process that a run script starts. A signal interrupts it, and this
 * process then ends when all of its children have.
 */
public final class DemoRunner {

	/** The checker found a violation. */
	public static final int STATUS_FAILED = 1;

	/** What shells return for a process that Ctrl-C ended. */
	private static final int STATUS_INTERRUPTED = 130;

	private static final Duration CLEANUP_TIME = Duration.ofSeconds(30);

	private final Console console = new Console(System.out);

	private final int statusWithoutVerdict;

	private DemoRunner(int statusWithoutVerdict) {
		this.statusWithoutVerdict = statusWithoutVerdict;
	}

	/**
	 * Runs a demo and exits this process: with status 0 if the demo passed, 1 if it did
	 * not, 130 if it was interrupted.
	 * @param args the options of the demo, which its script has checked, and
	 * {@code --logs=FOLDER}
	 * @param statusWithoutVerdict the exit status if the demo comes to no verdict
	 * @param demo reads the options, and returns what to run
	 */
	public static void run(String[] args, int statusWithoutVerdict, Function<PropertyResolver, Script> demo)
			throws InterruptedException {
		MutablePropertySources commandLine = new MutablePropertySources();
		commandLine.addFirst(new SimpleCommandLinePropertySource(args));
		PropertyResolver options = new PropertySourcesPropertyResolver(commandLine);
		Path logs = Path.of(options.getProperty("logs", "target/demo")).toAbsolutePath().normalize();
		Script script = demo.apply(options);
		System.exit(new DemoRunner(statusWithoutVerdict).run(script, logs));
	}

	private int run(Script script, Path logs) throws InterruptedException {
		AtomicInteger status = new AtomicInteger(STATUS_INTERRUPTED);
		Thread demo = new Thread(() -> status.set(runInThisThread(script, logs)), "demo");
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			demo.interrupt();
			try {
				demo.join(CLEANUP_TIME.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			Runtime.getRuntime().halt(status.get());
		}, "signal"));
		demo.start();
		demo.join();
		return status.get();
	}

	private int runInThisThread(Script script, Path logs) {
		try {
			Files.createDirectories(logs);
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
