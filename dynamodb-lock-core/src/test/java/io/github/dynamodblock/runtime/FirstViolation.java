/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

import org.jspecify.annotations.Nullable;

/**
 * A process that runs one seed after the other until one breaks what is promised. A
 * client that is broken on purpose may do anything, so it does not run in the process of
 * those who judge it.
 */
public final class FirstViolation {

	/** A seed takes some milliseconds. */
	private static final long LONGEST = Duration.ofSeconds(30).toNanos();

	private final long seeds;

	private final Path directory;

	private final LongFunction<List<String>> simulation;

	private volatile @Nullable Begun underWay;

	private FirstViolation(long seeds, Path directory, LongFunction<List<String>> simulation) {
		this.seeds = seeds;
		this.directory = directory;
		this.simulation = simulation;
	}

	/**
	 * Runs seeds from one on. The file {@code violation} then has the number of seeds
	 * that were run and, if the last of them broke something, what it was;
	 * {@code history} has what happened.
	 * @param arguments how many seeds to run at most, the directory of the files, and the
	 * class of another simulation than that of the lock client, or nothing
	 * @throws ReflectiveOperationException if there is no such class
	 */
	public static void main(String[] arguments) throws ReflectiveOperationException {
		Path directory = Path.of(arguments[1]);
		LongFunction<List<String>> simulation = arguments[2].isEmpty() ? (seed) -> violations(seed, directory)
				: simulation(arguments[2]);
		FirstViolation search = new FirstViolation(Long.parseLong(arguments[0]), directory, simulation);
		Thread watch = new Thread(search::endIfStuck, "watch");
		watch.setDaemon(true);
		watch.start();
		Simulator.quietly(search::run);
	}

	private void run() {
		for (long seed = 1; seed <= this.seeds; seed++) {
			this.underWay = new Begun(seed, System.nanoTime());
			List<String> violations = this.simulation.apply(seed);
			if (!violations.isEmpty()) {
				this.underWay = null;
				tell(seed, violations.get(0));
				return;
			}
		}
		this.underWay = null;
		tell(this.seeds, null);
	}

	@SuppressWarnings("unchecked") // what the simulation of another module is
	private static LongFunction<List<String>> simulation(String name) throws ReflectiveOperationException {
		return (LongFunction<List<String>>) Class.forName(name)
			.asSubclass(LongFunction.class)
			.getConstructor()
			.newInstance();
	}

	private static List<String> violations(long seed, Path directory) {
		List<String> violations = Simulation.run(seed).violations();
		if (!violations.isEmpty()) {
			write(directory.resolve("history"), Simulation.record(seed).description());
		}
		return violations;
	}

	private void endIfStuck() {
		while (true) {
			LockSupport.parkNanos(LONGEST / 10);
			Begun begun = this.underWay;
			if (begun != null && System.nanoTime() - begun.at() > LONGEST) {
				tell(begun.seed(), "the run does not end");
				Runtime.getRuntime().halt(0);
			}
		}
	}

	private synchronized void tell(long seedsRun, @Nullable String violation) {
		write(this.directory.resolve("violation"), seedsRun + "\n" + ((violation == null) ? "" : violation + "\n"));
	}

	private static void write(Path file, String text) {
		try {
			Files.writeString(file, text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Begun(long seed, long at) {
	}

}
