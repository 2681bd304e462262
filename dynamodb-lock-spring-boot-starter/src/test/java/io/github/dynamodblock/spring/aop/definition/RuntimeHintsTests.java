/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.util.List;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.ScheduledLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

@Isolated("CGLIB has one handler of generated classes in a JVM")
class RuntimeHintsTests {

	@Test
	void everythingThatAKeyExpressionFindsAtTheRootCanBeRead() {
		RuntimeHints hints = hintsFor(Orders.class);
		assertThat(List.of("method", "methodName", "args", "target", "targetClass")).allSatisfy((property) -> {
			assertThat(RuntimeHintsPredicates.reflection()
				.onMethodInvocation(KeyExpression.Root.class.getMethod(property))).accepts(hints);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { DistributedLock.class, ScheduledLock.class })
	void anAnnotationsAttributesCanBeReadAndMerged(Class<?> annotation) {
		RuntimeHints hints = hintsFor(Orders.class);
		assertThat(annotation.getDeclaredMethods()).isNotEmpty()
			.filteredOn((method) -> !method.isSynthetic())
			.allSatisfy((attribute) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(attribute))
				.accepts(hints));
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(annotation)).accepts(hints);
	}

	@Test
	void annotatedMethodsTheirFallbacksAndWhatTheirKeysReadAreKept() throws NoSuchMethodException {
		RuntimeHints hints = hintsFor(Orders.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Orders.class.getDeclaredMethod("fulfil", Order.class))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Orders.class.getDeclaredMethod("later", Order.class, LockNotGrantedException.class)))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Order.class.getDeclaredMethod("customer")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Customer.class.getDeclaredMethod("getId")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class.getDeclaredMethod("unrelated")))
			.rejects(hints);
	}

	@Test
	void whatAKeyReadsOfABeanIsKept() throws NoSuchMethodException {
		RuntimeHints hints = hintsFor(Imports.class, Tenants.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Tenants.class.getMethod("current")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Customer.class.getDeclaredMethod("getId")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Order.class.getDeclaredMethod("customer")))
			.as("what the key does not read")
			.rejects(hints);
	}

	@Test
	void nothingIsKeptForABeanWithoutTheAnnotation() throws NoSuchMethodException {
		RuntimeHints hints = hintsFor(Customer.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Customer.class.getDeclaredMethod("getId")))
			.rejects(hints);
	}

	/** Processes a context with these beans ahead of time. */
	private static RuntimeHints hintsFor(Class<?>... beans) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Test")), new InMemoryGeneratedFiles());
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			for (Class<?> bean : beans) {
				context.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
			}
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
	}

	public static class Orders {

		@DistributedLock(name = "orders", key = "#order.customer.id", onBusy = OnBusy.FALLBACK, fallback = "later")
		public void fulfil(Order order) {
			unrelated();
		}

		@SuppressWarnings("unused")
		private void later(Order order, LockNotGrantedException ex) {
			throw ex;
		}

		private void unrelated() {
		}

	}

	public static class Imports {

		@DistributedLock(name = "imports", key = "'eu/' + @tenants.current().id")
		public void run() {
		}

	}

	public static class Tenants {

		public Customer current() {
			return new Customer();
		}

		public Order last() {
			return new Order(current());
		}

	}

	public record Order(Customer customer) {
	}

	public static class Customer {

		public String getId() {
			return "42";
		}

	}

}
