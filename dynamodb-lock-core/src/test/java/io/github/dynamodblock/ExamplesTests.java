/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * Compiles and runs the examples of the Javadoc and of the core's pages in docs, each
 * with tables in memory. Every public type has an example.
 */
class ExamplesTests {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "dynamodblock");

	private static final Path GUIDES = Path.of("..", "docs");

	/** The pages, and how many examples each has at least. */
	private static final Map<String, Integer> PAGES = Map.of("core.md", 5, "requests.md", 9, "releasing.md", 2);

	private static final Pattern PUBLIC_TYPE = Pattern.compile(
			"/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\s*)*public (?:static |final |abstract |sealed )*(?:class|interface|record|enum) (\\w+)",
			Pattern.DOTALL);

	private static final Pattern JAVADOC_EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\n[\\s*]*}</pre>",
			Pattern.DOTALL);

	private static final Pattern GUIDE_EXAMPLE = Pattern.compile("(?ms)^```java\\n(.*?)^```");

	/** The names that examples use without declaring them. */
	private static final String CONTEXT = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.table.*;
			import io.github.dynamodblock.test.EmbeddedDynamoDb;
			import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
			import java.io.IOException;
			import java.nio.charset.StandardCharsets;
			import java.time.Duration;
			import java.time.Instant;
			import java.util.*;
			import java.util.concurrent.*;
			import java.util.stream.*;
			import org.slf4j.Logger;
			import org.slf4j.LoggerFactory;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
			import software.amazon.awssdk.services.dynamodb.model.Put;
			import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

			class Context {
				final DynamoDbClient dynamoDbClient = new InMemoryDynamoDb();
				final LockClient client = client();
				final LockClient otherClient = client();
				final LockTableException exception = new LockTableException("locks", LockTableException.Problem.MISSING,
						"no such table", null);
				final Logger logger = LoggerFactory.getLogger("examples");
				final Executor executor = ForkJoinPool.commonPool();
				final Object order = new Object();
				final HeldLock lock;
				final Put packed;

				Context() throws Exception {
					LockTable.of(this.dynamoDbClient, "locks").sortKeyName(sortKeyName()).createIfMissing();
					this.lock = this.client.acquire((sortKeyName() == null) ? LockKey.of("held") : LockKey.of("held", "1"));
					Map<String, AttributeValue> item = new HashMap<>(Map.of("key", AttributeValue.fromS("order-42")));
					if (sortKeyName() != null) {
						item.put(sortKeyName(), AttributeValue.fromS("packed"));
					}
					this.packed = Put.builder().tableName("locks").item(item).build();
				}

				String sortKeyName() {
					return null;
				}

				LockClient client() {
					return LockClient.builder(this.dynamoDbClient).sortKeyName(sortKeyName()).build();
				}

				void close() {
					this.client.close();
					this.otherClient.close();
				}

				void write(Object what, long fencingToken) {
				}

				void fulfil(Object order) {
				}

				void work(HeldLock lock) {
				}

				void shipOrder() {
				}

				void print(LockKey key, String ownerName) {
				}

				String charge(Object order, long fencingToken) {
					return "receipt";
				}
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
				if (!JAVADOC_EXAMPLE.matcher(type.group(1)).find()) {
					without.add(type.group(2));
				}
			}
		}
		assertThat(types).isGreaterThan(20);
		assertThat(without).isEmpty();
	}

	@Test
	void everyExampleCompilesAndRuns(@TempDir Path classes) throws Exception {
		List<Example> examples = examples();
		assertThat(examples).hasSizeGreaterThan(35)
			.extracting(Example::place)
			.contains("LockTable.java", "LockClient.java");
		PAGES.forEach((page, atLeast) -> assertThat(examples).as(page)
			.filteredOn((example) -> example.place().equals(page))
			.hasSizeGreaterThanOrEqualTo(atLeast));
		StringBuilder program = new StringBuilder(CONTEXT);
		examples.forEach((example) -> program.append(example.source()));
		assertThat(errors(program.toString(), classes)).isEmpty();
		List<String> failures = new ArrayList<>();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { classes.toUri().toURL() },
				getClass().getClassLoader())) {
			for (Example example : examples) {
				run(loader.loadClass(example.className()), example, failures);
			}
		}
		assertThat(failures).as("examples that fail").isEmpty();
	}

	private static void run(Class<?> type, Example example, List<String> failures) throws Exception {
		var constructor = type.getDeclaredConstructor();
		constructor.setAccessible(true);
		Object instance = constructor.newInstance();
		var run = type.getDeclaredMethod("run");
		run.setAccessible(true);
		var close = type.getSuperclass().getDeclaredMethod("close");
		close.setAccessible(true);
		try {
			run.invoke(instance);
		}
		catch (InvocationTargetException ex) {
			failures.add(example.place() + ": " + ex.getCause() + "\n" + example.code());
		}
		finally {
			close.invoke(instance);
		}
	}

	private static List<Example> examples() throws IOException {
		List<Example> examples = new ArrayList<>();
		for (Path source : sources()) {
			Matcher example = JAVADOC_EXAMPLE.matcher(Files.readString(source));
			while (example.find()) {
				examples.add(new Example(examples.size(), String.valueOf(source.getFileName()),
						example.group(1).replaceAll("(?m)^\\s*\\* ?", "")));
			}
		}
		for (String page : PAGES.keySet()) {
			Matcher example = GUIDE_EXAMPLE.matcher(Files.readString(GUIDES.resolve(page)));
			while (example.find()) {
				examples.add(new Example(examples.size(), page, example.group(1)));
			}
		}
		return examples;
	}

	private static List<String> errors(String program, Path classes) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<String> options = List.of("-proc:none", "-d", classes.toString(), "-classpath", classPath);
		JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///Context.java"),
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

	/**
	 * An example of the documentation.
	 *
	 * @param number its number among all examples
	 * @param place the name of the file that has it
	 * @param code its statements
	 */
	private record Example(int number, String place, String code) {

		String className() {
			return "Example" + this.number;
		}

		String source() {
			String sortKeyName = this.code.contains("LockKey.of(\"orders\", \"42\")") ? "\"sort\"" : "null";
			return """

					// %s
					class %s extends Context {
						%2$s() throws Exception {
						}
						@Override
						String sortKeyName() {
							return %s;
						}
						void run() throws Exception {
					%s
						}
					}
					""".formatted(this.place, className(), sortKeyName, this.code);
		}

	}

}
