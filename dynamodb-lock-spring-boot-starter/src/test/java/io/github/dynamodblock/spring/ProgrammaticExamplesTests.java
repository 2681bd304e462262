/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every example of the page about programmatic use compiles.
 */
class ProgrammaticExamplesTests {

	private static final Path PAGE = Path.of("..", "docs", "programmatic.md");

	private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");

	private static final String IMPORTS = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.spring.*;
			import io.github.dynamodblock.spring.event.*;
			import java.nio.charset.StandardCharsets;
			import java.time.Duration;
			import org.slf4j.Logger;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.event.EventListener;
			import org.springframework.transaction.support.TransactionTemplate;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			""";

	private static final String GIVEN = """
			abstract class Given {
				record Order(long id) { }
				record Receipt(Order order) { }
				LockTemplate lockTemplate;
				LockClient lockClient;
				TransactionTemplate transactionTemplate;
				Logger logger;
				Order order;
				long id;
				abstract Receipt fulfil(Order order);
				abstract void write(long id, long token);
				abstract void write(long id);
				abstract void report();
				abstract int deleteOldFiles();
				abstract void pick();
				abstract void importAll(HeldLock lock);
			}
			""";

	@Test
	void everyExampleCompiles(@TempDir Path directory) throws IOException {
		List<String> examples = EXAMPLE.matcher(Files.readString(PAGE))
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(examples).hasSizeGreaterThan(5);
		StringBuilder source = new StringBuilder(IMPORTS).append(GIVEN);
		for (int i = 0; i < examples.size(); i++) {
			String example = examples.get(i);
			String member = example.startsWith("@") ? example : "void run() throws Exception {\n" + example + "}\n";
			source.append("abstract class Example").append(i).append(" extends Given {\n").append(member).append("}\n");
		}
		assertThat(compile(source.toString(), directory)).isEmpty();
	}

	private static List<String> compile(String source, Path directory) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Examples.java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}
		};
		compiler
			.getTask(null, null, problems,
					List.of("-d", directory.toString(), "-proc:none", "-classpath",
							System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))),
					null, List.of(file))
			.call();
		return problems.getDiagnostics()
			.stream()
			.filter((each) -> each.getKind() == Diagnostic.Kind.ERROR)
			.map((each) -> each.getLineNumber() + ": " + each.getMessage(Locale.ENGLISH))
			.toList();
	}

}
