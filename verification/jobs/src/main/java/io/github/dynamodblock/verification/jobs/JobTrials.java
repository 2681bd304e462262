/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.Verdict;

import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;
import org.springframework.core.env.PropertyResolver;

/**
 * Runs the trials, one after another.
 */
public final class JobTrials {

	private static final String LINE = "%-10s %s";

	private final Demo demo;

	private final Path logs;

	private final Library library;

	private JobTrials(Demo demo, Path logs, Library library) {
		this.demo = demo;
		this.logs = logs;
		this.library = library;
	}

	/**
	 * Runs the trials and exits this process.
	 * @param args {@code --only=NAME,NAME}, {@code --without-lock},
	 * {@code --logs=FOLDER}, {@code --previous=CLASSPATH} of every second node
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, JobTrials::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver options) {
		Path logs = Path.of(options.getProperty("logs", "target/demo")).toAbsolutePath().normalize();
		Library library = new Library(!options.containsProperty("without-lock"), options.getProperty("previous"));
		Set<String> only = Set.of(options.getProperty("only", String[].class, new String[0]));
		return (demo) -> new JobTrials(demo, logs, library).run(only);
	}

	private Map<String, Preparation> trials(String dynamoDb) {
		Map<String, Preparation> trials = new LinkedHashMap<>();
		trials.put("refresh", (name) -> RefreshTrial.of(this.demo, this.logs, name, this.library));
		trials.put("rolling", (name) -> RollingTrial.of(this.demo, name, this.library));
		trials.put("interrupt", (name) -> InterruptTrial.of(this.demo, name, this.library));
		trials.put("kill", (name) -> KillTrial.of(this.demo, name, this.library));
		trials.put("table", (name) -> TableTrial.of(this.demo, dynamoDb, name, this.library));
		return trials;
	}

	private Verdict run(Set<String> only) throws IOException, InterruptedException, DemoFailedException {
		String dynamoDb = this.demo.startDynamoDb();
		String versions = "Spring Boot " + SpringBootVersion.getVersion() + ", Spring Framework "
				+ SpringVersion.getVersion();
		this.demo.console().say(versions + (this.library.locked() ? "" : ", WITHOUT LOCKS"));
		List<String> passed = new ArrayList<>();
		List<String> problems = new ArrayList<>();
		List<Run> runs = new ArrayList<>();
		for (Map.Entry<String, Preparation> trial : trials(dynamoDb).entrySet()) {
			String name = trial.getKey();
			if (!only.isEmpty() && !only.contains(name)) {
				continue;
			}
			Trial prepared = trial.getValue().prepare(name);
			Verdict verdict = prepared.run();
			runs.addAll(prepared.history().runs());
			this.demo.console().say(Console.row(LINE, name, verdict.line()));
			if (verdict.passed()) {
				passed.add(name);
			}
			Files.write(this.logs.resolve(name + ".problems"), verdict.violations());
			verdict.violations().forEach((problem) -> problems.add(name + ": " + problem));
		}
		if (this.library.previousClassPath() != null) {
			versions = runsOfVersions(runs);
			if (byPrevious(runs) == 0 || byPrevious(runs) == runs.size()) {
				problems.add("only nodes of one version ran jobs: " + versions);
			}
		}
		return new Verdict(problems, passed.size() + " trials, " + versions);
	}

	private static String runsOfVersions(List<Run> runs) {
		long previous = byPrevious(runs);
		long reruns = runs.stream().filter(Run::rerun).count();
		long across = runs.stream()
			.filter((run) -> run.rerun() && runs.stream().anyMatch((cut) -> run.repeatsOnTheOtherVersion(cut)))
			.count();
		return previous + " runs by nodes of the other version, " + (runs.size() - previous) + " by nodes of this one, "
				+ reruns + " reruns, " + across + " of them of a run of the other version";
	}

	private static long byPrevious(List<Run> runs) {
		return runs.stream().filter((run) -> Nodes.isPrevious(run.node())).count();
	}

	@FunctionalInterface
	private interface Preparation {

		Trial prepare(String name) throws IOException;

	}

}
