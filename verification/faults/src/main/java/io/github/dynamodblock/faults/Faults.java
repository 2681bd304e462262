/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.LockStory;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.report.Report;
import io.github.dynamodblock.faults.report.RunResult;
import io.github.dynamodblock.faults.report.Timeline;
import io.github.dynamodblock.faults.report.VersionCounts;
import io.github.dynamodblock.faults.worker.LockKind;
import io.github.dynamodblock.verification.harness.DemoFailedException;

/**
 * Runs real processes under faults, checks them and writes a report. Before that, clients
 * that break the rules are run for a while, and must be caught.
 *
 * <p>
 * System properties say how: {@code faults.duration} and {@code faults.proof} (as
 * {@link Duration} reads them), {@code faults.seed} (a number, or empty for any),
 * {@code faults.client} ({@code ours} or {@code aws}), {@code faults.directory}. With
 * {@code faults.previous}, the jar of another version of the core, every second process
 * runs that version.
 */
public final class Faults {

	private static final int STATUS_VIOLATED = 1;

	private static final int STATUS_USAGE = 2;

	private static final int LARGEST_SEED = 1_000_000;

	private final Path directory;

	private final long seed;

	private final PrintStream out;

	private Faults(Path directory, long seed, PrintStream out) {
		this.directory = directory;
		this.seed = seed;
		this.out = out;
	}

	/**
	 * Runs, and ends this process: with status 0 if all is well, with 1 if something was
	 * violated or a broken client was not caught, with 2 if an option is wrong.
	 * @param arguments none
	 * @throws Exception if the run cannot go on
	 */
	public static void main(String[] arguments) throws Exception {
		Duration duration;
		Duration proof;
		long seed;
		LockKind kind;
		try {
			duration = duration("faults.duration", "PT1M");
			proof = duration("faults.proof", "PT3M");
			seed = seed(System.getProperty("faults.seed", ""));
			kind = kind(System.getProperty("faults.client", "ours"));
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.exit(STATUS_USAGE);
			return;
		}
		Path directory = Path.of(System.getProperty("faults.directory", "target/faults")).toAbsolutePath();
		Faults faults = new Faults(directory, seed, System.out);
		String previous = System.getProperty("faults.previous", "");
		if (!previous.isEmpty()) {
			System.exit(faults.runVersions(Path.of(previous), duration) ? 0 : STATUS_VIOLATED);
		}
		boolean caught = proof.isZero() || faults.catchBroken(proof);
		System.exit((faults.run(kind, duration) && caught) ? 0 : STATUS_VIOLATED);
	}

	static Duration duration(String name, String otherwise) {
		String text = System.getProperty(name, otherwise);
		try {
			Duration duration = Duration.parse(text);
			if (duration.isNegative()) {
				throw new IllegalArgumentException(name + " is " + text + "; it must not be negative");
			}
			return duration;
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(name + " is " + text + "; expected a duration such as PT1M or PT90S",
					ex);
		}
	}

	static long seed(String text) {
		if (text.isEmpty()) {
			return new Random().nextInt(LARGEST_SEED);
		}
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("faults.seed is " + text + "; expected a whole number", ex);
		}
	}

	static LockKind kind(String text) {
		return switch (text) {
			case "ours" -> LockKind.OURS;
			case "aws" -> LockKind.AWS;
			default -> throw new IllegalArgumentException("faults.client is " + text + "; expected ours or aws");
		};
	}

	/** Whether what broken clients do is seen, within that time at most for each. */
	private boolean catchBroken(Duration duration) throws IOException, InterruptedException, DemoFailedException {
		boolean noLocks = catchBroken(LockKind.NONE, duration, Set.of(Rule.TWO_HOLDERS, Rule.PLAIN_UPDATE,
				Rule.FENCED_UPDATE, Rule.TOKEN_REPEATED, Rule.STALE_COMMIT, Rule.GUARDED_UPDATE_LOST));
		boolean unaware = catchBroken(LockKind.UNAWARE, duration,
				Set.of(Rule.TWO_HOLDERS, Rule.STALE_COMMIT, Rule.GUARDED_UPDATE_LOST));
		return noLocks && unaware;
	}

	private boolean catchBroken(LockKind kind, Duration duration, Set<Rule> expected)
			throws IOException, InterruptedException, DemoFailedException {
		RunSettings settings = RunSettings.proof(kind, duration, this.seed,
				emptied(this.directory.resolve("proof-" + kind.name().toLowerCase(Locale.ROOT))));
		RunResult result = Run.until(settings, expected);
		boolean caught = result.violationsByRule().keySet().containsAll(expected);
		this.out.println("faults: nodes that lock with " + kind + " must be caught: "
				+ (caught ? "caught, " : "NOT CAUGHT, ") + result.violationsByRule());
		return caught;
	}

	/** Whether nothing was violated; of the peer, nothing is asked. */
	private boolean run(LockKind kind, Duration duration)
			throws IOException, InterruptedException, DemoFailedException {
		RunSettings settings = RunSettings.of(kind, duration, this.seed, emptied(this.directory.resolve("run")));
		this.out.println("faults: the run begins, seed " + this.seed);
		RunResult result = Run.of(settings);
		Files.write(this.directory.resolve(Report.file(settings)), Report.of(settings, result));
		Files.write(this.directory.resolve("faults.log"), Report.faultLog(result));
		Files.write(this.directory.resolve(Report.picture(settings)), Timeline.of(result));
		writeStories(result);
		result.violations()
			.stream()
			.limit(20)
			.forEach((violation) -> this.out.println("faults: VIOLATION " + violation));
		this.out.println("faults: report in " + this.directory.resolve(Report.file(settings)));
		this.out.println(Report.guardedLine(result));
		this.out.println(Report.line(settings, result));
		return result.violations().isEmpty() || kind == LockKind.AWS;
	}

	/** Whether processes of two versions violated nothing, and enough happened. */
	private boolean runVersions(Path core, Duration duration)
			throws IOException, InterruptedException, DemoFailedException {
		RunSettings settings = RunSettings.versions(OtherVersion.classPath(core), duration, this.seed,
				emptied(this.directory.resolve("versions")));
		this.out.println("faults: two versions, seed " + this.seed + "; the other one is " + core);
		RunResult result = Run.of(settings);
		writeStories(result);
		result.violations()
			.stream()
			.limit(20)
			.forEach((violation) -> this.out.println("faults: VIOLATION " + violation));
		VersionCounts counts = VersionCounts.of(settings, result.history().holds());
		this.out.println(Report.line(settings, result));
		this.out.println(counts);
		if (!counts.isEnough()) {
			this.out.println("faults: too little happened between the versions to say anything");
		}
		return result.violations().isEmpty() && counts.isEnough();
	}

	/** What became known of the locks of which something was violated. */
	private void writeStories(RunResult result) throws IOException {
		for (Finding violation : result.violations()) {
			Integer lock = violation.lock();
			if (lock != null) {
				Files.write(this.directory.resolve("lock-" + lock + ".log"),
						LockStory.of(result.history(), lock, result.time().from()));
			}
		}
	}

	private static Path emptied(Path directory) throws IOException {
		if (Files.exists(directory)) {
			try (Stream<Path> files = Files.walk(directory)) {
				for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
					Files.delete(file);
				}
			}
		}
		return Files.createDirectories(directory);
	}

}
