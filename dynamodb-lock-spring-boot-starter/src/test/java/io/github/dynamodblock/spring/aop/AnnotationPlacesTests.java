/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class AnnotationPlacesTests {

	@Test
	void onTheImplementationOfAnInterfaceBehindAJdkProxy(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("greeter", Greeter.class, AnnotatedGreeter::new)
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Greeter.class))).isTrue();
				context.getBean(Greeter.class).greet("x");
				assertLocked(context, "greeter:x");
			});
	}

	@Test
	void onTheMethodOfAnInterface(EmbeddedDynamoDb dynamoDb) {
		for (boolean classProxies : new boolean[] { true, false }) {
			LockNode.of(dynamoDb)
				.withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
				.withBean("printer", Printer.class, PlainPrinter::new)
				.run((context) -> {
					context.getBean(Printer.class).print("x");
					assertLocked(context, "printer:x");
				});
		}
	}

	@Test
	void onAClassForEachPublicMethod(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Library.class).run((context) -> {
			Library library = context.getBean(Library.class);
			library.lend();
			assertLocked(context, "Library.lend");
			library.inherited();
			assertLocked(context, "Library.inherited");
			library.sell();
			assertLocked(context, "sales");
			assertThat(library).hasToString("a library").isEqualTo(library).hasSameHashCodeAs(library);
			for (String method : List.of("toString", "equals", "hashCode")) {
				assertThat(context.getBean(LockClient.class).find("Library." + method)).as(method).isEmpty();
			}
			library.internal();
			assertThat(context.getBean(LockClient.class).find("Library.internal")).isEmpty();
		});
	}

	@Test
	void onAnAnnotationOfTheApplications(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Composed.class).run((context) -> {
			context.getBean(Composed.class).nightly();
			assertLocked(context, "nightly");
		});
	}

	@Test
	void withoutANameTheLockIsNamedForClassAndMethod(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Unnamed.class).run((context) -> {
			context.getBean(Unnamed.class).work();
			assertLocked(context, "Unnamed.work");
		});
	}

	@Test
	void placeholdersAndThePrefixAreInTheKey(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(Placeholders.class)
			.withPropertyValues("job.name=import", "job.wait=2s", "dynamodb-lock.key-prefix=shop/")
			.run((context) -> {
				context.getBean(Placeholders.class).work(3);
				assertLocked(context, "shop/import:3");
			});
	}

	@Test
	void onABeanThatIsMadeLate(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Unnamed.class, Unnamed::new, (bean) -> bean.setLazyInit(true)).run((context) -> {
			context.getBean(Unnamed.class).work();
			assertLocked(context, "Unnamed.work");
		});
	}

	private static void assertLocked(AssertableApplicationContext context, String key) {
		assertThat(context.getBean(LockClient.class).find(key)).as("lock '" + key + "' was taken").isPresent();
	}

	interface Greeter {

		void greet(String name);

	}

	static class AnnotatedGreeter implements Greeter {

		@Override
		@DistributedLock(name = "greeter", key = "#name")
		public void greet(String name) {
		}

	}

	interface Printer {

		@DistributedLock(name = "printer", key = "#text")
		void print(String text);

	}

	static class PlainPrinter implements Printer {

		@Override
		public void print(String text) {
		}

	}

	static class Building {

		public void inherited() {
		}

	}

	@DistributedLock
	static class Library extends Building {

		public void lend() {
		}

		@DistributedLock("sales")
		public void sell() {
		}

		@Override
		public String toString() {
			return "a library";
		}

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return 1;
		}

		void internal() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(onBusy = OnBusy.SKIP)
	@interface Job {

		@AliasFor(annotation = DistributedLock.class, attribute = "name")
		String value();

	}

	static class Composed {

		@Job("nightly")
		void nightly() {
		}

	}

	static class Unnamed {

		@DistributedLock
		void work() {
		}

	}

	static class Placeholders {

		@DistributedLock(name = "${job.name}", key = "#p0", waitTime = "${job.wait}", leaseDuration = "${job.lease:3s}",
				holdAtLeast = "${job.hold:}")
		void work(int number) {
		}

	}

}
