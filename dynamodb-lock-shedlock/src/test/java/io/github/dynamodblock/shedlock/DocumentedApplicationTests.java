/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application with ShedLock's annotations runs with the beans that the migration guide
 * shows, and with no other change.
 */
@Timeout(120)
class DocumentedApplicationTests {

	private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java shedlock\\R(.*?)^```$");

	private static final String IMPORTS = """
			import io.github.dynamodblock.LockClient;
			import io.github.dynamodblock.shedlock.DynamoDbLockProvider;
			import io.github.dynamodblock.table.LockTable;
			import net.javacrumbs.shedlock.core.LockProvider;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.annotation.Configuration;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			""";

	@Test
	void anApplicationKeepsItsAnnotationsAndRunsEachJobOnOneNode(@TempDir Path directory) throws Exception {
		try (URLClassLoader loader = compiled(directory); EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.shared()) {
			Class<?> beans = loader.loadClass("Documented");
			try (AnnotationConfigApplicationContext node = start(beans, dynamoDb);
					AnnotationConfigApplicationContext otherNode = start(beans, dynamoDb)) {
				assertThat(node.getBean(LockProvider.class)).isInstanceOf(DynamoDbLockProvider.class);
				List<Application> nodes = List.of(node.getBean(Application.class),
						otherNode.getBean(Application.class));
				await().atMost(Duration.ofSeconds(30))
					.until(() -> nodes.stream().allMatch((each) -> each.ticks() >= 5));
				assertThat(nodes.stream().mapToInt(Application::runs).sum()).isEqualTo(1);
				assertThat(nodes).allMatch((each) -> each.unlocked() == 0);
				assertThat(otherNode.getBean(LockClient.class).find("shedlock:nightly-report")).isPresent();
			}
		}
	}

	private static AnnotationConfigApplicationContext start(Class<?> beans, EmbeddedDynamoDb dynamoDb) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(DynamoDbClient.class, dynamoDb::client,
				(definition) -> definition.setDestroyMethodName(""));
		context.register(Application.class, beans);
		context.refresh();
		return context;
	}

	private static URLClassLoader compiled(Path directory) throws IOException {
		List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "migration-shedlock.md")))
			.results()
			.map((MatchResult match) -> match.group(1))
			.toList();
		assertThat(examples).hasSize(1);
		String source = IMPORTS + "@Configuration class Documented {\n" + examples.get(0) + "}\n";
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Documented.java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}
		};
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		compiler
			.getTask(null, null, problems,
					List.of("-d", directory.toString(), "-proc:none", "-classpath",
							System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))),
					null, List.of(file))
			.call();
		assertThat(problems.getDiagnostics()).filteredOn((each) -> each.getKind() == Diagnostic.Kind.ERROR).isEmpty();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() },
				DocumentedApplicationTests.class.getClassLoader());
	}

	/** Knows ShedLock and Spring only. */
	@Configuration
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	static class Application {

		private final AtomicInteger ticks = new AtomicInteger();

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger unlocked = new AtomicInteger();

		/** As in Spring Boot, it stops before other beans are destroyed. */
		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return new ThreadPoolTaskScheduler();
		}

		@Scheduled(fixedRate = 300)
		void tick() {
			this.ticks.incrementAndGet();
		}

		@Scheduled(fixedRate = 300)
		@SchedulerLock(name = "nightly-report", lockAtLeastFor = "5m")
		void nightlyReport() {
			this.runs.incrementAndGet();
			try {
				LockAssert.assertLocked();
			}
			catch (IllegalStateException ex) {
				this.unlocked.incrementAndGet();
			}
		}

		int ticks() {
			return this.ticks.get();
		}

		int runs() {
			return this.runs.get();
		}

		int unlocked() {
			return this.unlocked.get();
		}

	}

}
