/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import com.acme.CacheLoader;
import com.acme.NightlyJob;
import com.acme.OrderService;
import com.acme.PaymentService;
import com.acme.ReportJob;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.ClassWithoutParameterNames;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

/**
 * The messages in the documentation are what is really said, and all of it.
 */
@ExtendWith(CapturedLogExtension.class)
class DocumentedErrorsTests {

	private static final Path PAGE = Path.of("..", "docs", "errors.md");

	/** Before it, the page has a report with another message. */
	private static final String HEADING = "### Messages about annotations";

	private static final Pattern WARNING = Pattern.compile("(?m) WARN .* - (Lock annotation on .*)$");

	@Test
	void thePageShowsWhatIsSaid(@TempDir Path folder, CapturedLog log) throws Exception {
		List<String> said = new ArrayList<>();
		said.addAll(failures(node().withBean(OrderService.class)));
		Class<?> jobs = ClassWithoutParameterNames.compile(folder, "com.acme", "Jobs");
		said.addAll(failures(node().withClassLoader(jobs.getClassLoader()).withBean("jobs", jobs)));
		said.addAll(failures(node().withBean("paymentService", PaymentService.class)
			.withUserConfiguration(OuterTransactions.class)));
		said.addAll(failures(node().withUserConfiguration(TooEarly.class)));
		said.addAll(failures(node().withBean(ReportJob.class).withBean("second", LockClient.class, this::client)));
		said.addAll(failures(LockNode.bare()
			.withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
			.withBean(ReportJob.class)));
		said.addAll(failures(node().withBean("cacheLoader", CacheLoader.class)));
		node().withBean(NightlyJob.class).run((context) -> assertThat(context).hasNotFailed());
		said.addAll(warnings(log));
		assertThat(documented()).containsExactlyInAnyOrderElementsOf(said);
	}

	private static List<String> documented() throws IOException {
		String page = Files.readString(PAGE);
		assertThat(page).contains(HEADING);
		return page.substring(page.indexOf(HEADING))
			.lines()
			.filter((line) -> line.startsWith("Lock annotation on "))
			.toList();
	}

	private static List<String> warnings(CapturedLog log) {
		return WARNING.matcher(log).results().map((line) -> line.group(1)).toList();
	}

	private static List<String> failures(ApplicationContextRunner application) {
		List<String> messages = new ArrayList<>();
		application.run((context) -> assertThat(context).getFailure()
			.asInstanceOf(throwable(InvalidDistributedLockException.class))
			.satisfies((failure) -> failure.problems()
				.forEach((problem) -> messages.add(Objects.requireNonNull(problem.getMessage())))));
		return messages;
	}

	private ApplicationContextRunner node() {
		return LockNode.bare().withBean("dynamoDbLockClient", LockClient.class, this::client);
	}

	private LockClient client() {
		return Mockito.mock(LockClient.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 500)
	static class OuterTransactions {

		@Bean
		PlatformTransactionManager transactionManager() {
			return Mockito.mock(PlatformTransactionManager.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TooEarly {

		@Bean
		ReportJob reportJob() {
			return new ReportJob();
		}

		@Bean
		static Greedy greedy(ReportJob job) {
			return new Greedy(job);
		}

	}

	record Greedy(ReportJob job) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
