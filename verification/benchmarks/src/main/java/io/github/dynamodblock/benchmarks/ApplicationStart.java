/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One way to start the application of {@link StartBenchmark}, each time in a new JVM.
 *
 * @param name what is started
 * @param starter whether the starter and the lock client are on its class path
 * @param arguments the application's properties
 */
record ApplicationStart(String name, boolean starter, List<String> arguments) {

	private static final String MAIN = "io.github.dynamodblock.benchmarks.application.StartApplication";

	private static final Pattern READY = Pattern.compile("^Ready after (\\d+) ms, (\\d+) ms of processor time$",
			Pattern.MULTILINE);

	/**
	 * Starts the application and waits until it has ended.
	 * @param classPath where its classes are
	 * @param endpoint where DynamoDB is
	 * @param options the JVM's options
	 * @return how long it took
	 * @throws IllegalStateException if the application does not start
	 */
	Times run(ApplicationClassPath classPath, URI endpoint, List<String> options) {
		try {
			ProcessBuilder builder = new ProcessBuilder(command(classPath, endpoint, options))
				.redirectErrorStream(true);
			// What the SDK finds by itself must not depend on the machine.
			builder.environment().keySet().removeIf(ApplicationStart::changesCalls);
			Process process = builder.start();
			process.getOutputStream().close();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			Matcher ready = READY.matcher(output);
			if (!ready.find()) {
				throw new IllegalStateException("The application did not start. Its output:\n" + output);
			}
			return new Times(Double.parseDouble(ready.group(1)), Double.parseDouble(ready.group(2)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The application could not be run", ex);
		}
	}

	private static boolean changesCalls(String variable) {
		return variable.startsWith("AWS_") || variable.toLowerCase(Locale.ROOT).endsWith("_proxy");
	}

	private List<String> command(ApplicationClassPath classPath, URI endpoint, List<String> options) {
		List<String> command = ChildProcess.java();
		command.addAll(options);
		command.addAll(List.of("-Daws.endpointUrlDynamoDb=" + endpoint, "-Daws.region=us-east-1",
				"-Daws.accessKeyId=local", "-Daws.secretAccessKey=local", "-cp", classPath.text(this.starter), MAIN));
		command.addAll(this.arguments);
		return command;
	}

	/**
	 * From the start of the JVM until the application was ready.
	 *
	 * @param millis the time
	 * @param cpuMillis the processor time of all threads, in user and system mode
	 */
	record Times(double millis, double cpuMillis) {

	}

}
