/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process that runs some tests and writes down which of them fail.
 */
final class FailingTests implements TestExecutionListener {

	private static final String ROOT = "io.github.dynamodblock.";

	/** A mutant may go round in a circle, and its test with it. */
	private static final String LONGEST = "60 s";

	private int run;

	private final TreeSet<String> failed = new TreeSet<>();

	private FailingTests() {
	}

	/**
	 * Runs the tests. The file then has the number of tests that were run, and a line for
	 * each that failed.
	 * @param arguments the file, and the tests' classes below the root package
	 * @throws IOException if the file cannot be written
	 */
	public static void main(String[] arguments) throws IOException {
		List<ClassSelector> classes = Arrays.stream(arguments)
			.skip(1)
			.map((name) -> DiscoverySelectors.selectClass(ROOT + name))
			.toList();
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(classes)
			// Several of these processes run beside each other.
			.configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
			.configurationParameter("junit.jupiter.execution.timeout.default", LONGEST)
			.configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
			.build();
		FailingTests tests = new FailingTests();
		Launcher launcher = LauncherFactory.create();
		launcher.execute(request, tests);
		Files.writeString(Path.of(arguments[0]), tests.run + "\n" + String.join("\n", tests.failed));
		// Whatever threads there are.
		Runtime.getRuntime().halt(0);
	}

	@Override
	public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (test.isTest()) {
			this.run++;
		}
		if (result.getStatus() == TestExecutionResult.Status.FAILED) {
			this.failed.add(name(test));
		}
	}

	private static String name(TestIdentifier test) {
		return test.getSource().map((source) -> {
			if (source instanceof MethodSource method) {
				return method.getClassName().replaceFirst(".*\\.", "") + "#" + method.getMethodName();
			}
			return (source instanceof ClassSource type) ? type.getClassName().replaceFirst(".*\\.", "")
					: test.getDisplayName();
		}).orElse(test.getDisplayName());
	}

}
