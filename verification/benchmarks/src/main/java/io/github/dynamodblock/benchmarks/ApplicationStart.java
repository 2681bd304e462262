/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * One way to start the application of {@link StartBenchmark}, each time in a new JVM.
 *
 * @param starter whether the starter and the lock client are on its class path
 * @param arguments the application's properties
 */
record ApplicationStart(boolean starter, List<String> arguments) {

	private static final String MAIN = "io.github.dynamodblock.benchmarks.application.StartApplication";

	private static final Pattern READY = Pattern.compile("^Ready after (\\d+) ms$", Pattern.MULTILINE);

	/**
	 * Starts the application and waits until it has ended.
	 * @param classPath the file with the class path of the application's dependencies,
	 * beside its classes
	 * @param endpoint where DynamoDB is
	 * @return the milliseconds from the start of the JVM until the application was ready
	 * @throws IllegalStateException if the application does not start
	 */
	double millis(Path classPath, URI endpoint) {
		try {
			ProcessBuilder builder = new ProcessBuilder(command(classPath, endpoint)).redirectErrorStream(true);
			// What the SDK finds by itself must not depend on the machine.
			builder.environment().keySet().removeIf(ApplicationStart::changesCalls);
			Process process = builder.start();
			process.getOutputStream().close();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			Matcher ready = READY.matcher(output);
			if (!ready.find()) {
				throw new IllegalStateException("The application did not start. Its output:\n" + output);
			}
			return Double.parseDouble(ready.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The application could not be run", ex);
		}
	}

	private static boolean changesCalls(String variable) {
		return variable.startsWith("AWS_") || variable.toLowerCase(Locale.ROOT).endsWith("_proxy");
	}

	private List<String> command(Path classPath, URI endpoint) throws IOException {
		List<String> command = ChildProcess.java();
		command.addAll(List.of("-Daws.endpointUrlDynamoDb=" + endpoint, "-Daws.region=us-east-1",
				"-Daws.accessKeyId=local", "-Daws.secretAccessKey=local", "-cp", entries(classPath), MAIN));
		command.addAll(this.arguments);
		return command;
	}

	private String entries(Path classPath) throws IOException {
		String dependencies = Arrays.stream(Files.readString(classPath).strip().split(File.pathSeparator))
			.filter((entry) -> this.starter || !isPartOfStarter(Path.of(entry)))
			.collect(Collectors.joining(File.pathSeparator));
		return classPath.resolveSibling("classes") + File.pathSeparator + dependencies;
	}

	/** In a build that makes no jars, the modules are folders of classes. */
	private static boolean isPartOfStarter(Path entry) {
		return StreamSupport.stream(entry.spliterator(), false)
			.map(Path::toString)
			.anyMatch((name) -> name.startsWith("dynamodb-lock-core")
					|| name.startsWith("dynamodb-lock-spring-boot-starter"));
	}

}
