/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every public type that users type has an example, and every example compiles.
 */
class JavadocExamplesTests {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "dynamodblock");

	private static final Pattern PUBLIC_TYPE = Pattern.compile(
			"/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\s*)*public (?:static |final |abstract |sealed )*(?:class|interface|record|enum) (\\w+)",
			Pattern.DOTALL);

	private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\n[\\s*]*}</pre>", Pattern.DOTALL);

	private static final String WHAT_EXAMPLES_SPEAK_OF = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.table.*;
			import java.io.IOException;
			import java.nio.charset.StandardCharsets;
			import java.time.Duration;
			import java.util.*;
			import java.util.concurrent.*;
			import org.slf4j.Logger;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

			abstract class Given {
				DynamoDbClient dynamoDbClient;
				LockClient client;
				LockClient otherClient;
				HeldLock lock;
				LockTableException exception;
				Logger logger;
				Object order;
				abstract void write(Object what, long fencingToken);
				abstract void fulfil(Object order);
				abstract void work(HeldLock lock);
				abstract void shipOrder();
				abstract String charge(Object order, long fencingToken);
				abstract String readFile(String name) throws IOException;
			}
			""";

	@Test
	void everyPublicTypeHasAnExample() throws IOException {
		List<String> without = new ArrayList<>();
		int types = 0;
		for (Path source : sources()) {
			Matcher type = PUBLIC_TYPE.matcher(Files.readString(source));
			while (type.find()) {
				types++;
				if (!EXAMPLE.matcher(type.group(1)).find()) {
					without.add(type.group(2));
				}
			}
		}
		assertThat(types).isGreaterThan(20);
		assertThat(without).isEmpty();
	}

	@Test
	void everyExampleCompiles(@TempDir Path classes) throws IOException {
		StringBuilder program = new StringBuilder(WHAT_EXAMPLES_SPEAK_OF);
		int examples = 0;
		for (Path source : sources()) {
			Matcher example = EXAMPLE.matcher(Files.readString(source));
			while (example.find()) {
				examples++;
				String code = example.group(1).replaceAll("(?m)^\\s*\\* ?", "");
				program.append("\n// ").append(source.getFileName()).append('\n');
				program.append("abstract class Example%d extends Given { void run() throws Exception {%n%s%n} }%n"
					.formatted(examples, code));
			}
		}
		assertThat(examples).isGreaterThan(20);
		assertThat(errors(program.toString(), classes)).isEmpty();
	}

	private static List<String> errors(String program, Path classes) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<String> options = List.of("-proc:none", "-d", classes.toString(), "-classpath", classPath);
		JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///Given.java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return program;
			}
		};
		compiler.getTask(null, null, diagnostics, options, null, List.of(source)).call();
		List<String> lines = program.lines().toList();
		return diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() == javax.tools.Diagnostic.Kind.ERROR)
			.map((error) -> error.getMessage(Locale.ENGLISH) + ": " + lines.get((int) error.getLineNumber() - 1))
			.toList();
	}

	private static List<Path> sources() throws IOException {
		try (Stream<Path> root = Files.list(SOURCES); Stream<Path> table = Files.list(SOURCES.resolve("table"))) {
			return Stream.concat(root, table).filter((file) -> file.toString().endsWith(".java")).sorted().toList();
		}
	}

}
