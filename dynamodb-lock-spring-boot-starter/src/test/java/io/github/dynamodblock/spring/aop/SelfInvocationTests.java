/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.LockNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call through this bypasses the proxy. Where the class file shows one, it is said.
 */
@ExtendWith(CapturedLogExtension.class)
class SelfInvocationTests {

	private static final String FAIL = "dynamodb-lock.advice.fail-on-self-invocation=true";

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, InALambda.class, InALambdaOfALambda.class, ByMethodReference.class,
			WithBranchesInArguments.class, AfterATry.class, InALoop.class, ByAVariable.class, InTheSuperclass.class,
			FromAnotherLock.class, FromTheSameNameWithAnotherKey.class, ByAnInterface.class })
	void aCallThroughThisIsAWarningThatNamesCallerAndCallee(Class<?> bean, CapturedLog log) {
		node().withBean(bean).run((context) -> {
			assertThat(context).hasNotFailed();
			String caller = (bean == InTheSuperclass.class) ? Template.class.getName() : bean.getName();
			assertThat(log).containsOnlyOnce("@DistributedLock on " + bean.getName() + ".work(String): " + caller
					+ ".all calls it through 'this', past the proxy, so that this call runs without the lock");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { OnAnother.class, OnAnotherInArguments.class, SuperMethod.class, UnderTheSameLock.class,
			OfAnOverload.class, BridgeOfAGenericOverride.class, BridgeOfACovariantOverride.class })
	void whatIsNoUnlockedCallIsNotWarnedOf(Class<?> bean, CapturedLog log) {
		node().withBean(bean).withPropertyValues(FAIL).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log).doesNotContain("through 'this'");
		});
	}

	@Test
	void isAnErrorIfWanted() {
		node().withBean(Plain.class)
			.withPropertyValues(FAIL)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("SelfInvocationTests$Plain.work(String)",
						"SelfInvocationTests$Plain.all calls it through 'this'", "ObjectProvider"));
	}

	@Test
	void twoBeansOfOneClassAreWarnedOfOnce(CapturedLog log) {
		node().withBean("one", Plain.class)
			.withBean("two", Plain.class)
			.run((context) -> assertThat(log).containsOnlyOnce("through 'this'"));
	}

	@Test
	void ofAClassWithoutAFileNothingIsSaid() {
		Supplier<String> generated = () -> "a lambda's class has no file";
		Set<SelfInvocation> invocations = SelfInvocations.of(generated.getClass());
		assertThat(invocations).isEmpty();
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	static class Plain {

		void all(List<String> ids) {
			work(ids.get(0));
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class InALambda {

		void all(List<String> ids) {
			ids.forEach((id) -> work(id + "!"));
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class InALambdaOfALambda {

		void all(List<List<String>> ids) {
			ids.forEach((some) -> some.forEach((id) -> work(id + "!")));
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class ByMethodReference {

		void all(List<String> ids) {
			ids.forEach(this::work);
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class WithBranchesInArguments {

		void all(List<String> ids, long number, double share) {
			work((ids.size() > 3 && number * 2L > 7L) ? (ids.get(0) + share) : switch (ids.size()) {
				case 1 -> "one";
				case 2 -> String.valueOf(new long[] { number, number + 1 }[1]);
				default -> ids.isEmpty() ? "none" : ids.get(ids.size() - 1);
			});
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class AfterATry {

		void all(List<String> ids) {
			String id;
			try {
				id = ids.get(0);
			}
			catch (IndexOutOfBoundsException ex) {
				id = "none: " + ex;
			}
			finally {
				ids.clear();
			}
			synchronized (ids) {
				work(id);
			}
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class InALoop {

		private int done;

		void all(List<String> ids) {
			for (int i = 0; i < ids.size(); i++) {
				if (i % 2 == 0) {
					continue;
				}
				this.done += work(ids.get(i));
			}
		}

		@DistributedLock(name = "a", key = "#id")
		int work(String id) {
			return 1 + this.done;
		}

	}

	static class ByAVariable {

		void all(List<String> ids) {
			ByAVariable self = this;
			for (String id : ids) {
				self.work(id);
			}
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	abstract static class Template {

		void all(List<String> ids) {
			work(ids.get(0));
		}

		abstract void work(String id);

	}

	static class InTheSuperclass extends Template {

		@Override
		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class FromAnotherLock {

		@DistributedLock("all")
		void all(List<String> ids) {
			work(ids.get(0));
		}

		@DistributedLock("one")
		void work(String id) {
		}

	}

	static class FromTheSameNameWithAnotherKey {

		@DistributedLock(name = "a", key = "#ids[0]")
		void all(List<String> ids) {
			work(ids.get(1));
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	interface Worker {

		@DistributedLock(name = "a", key = "#p0")
		void work(String id);

	}

	static class ByAnInterface implements Worker {

		void all(List<String> ids) {
			Worker worker = this;
			worker.work(ids.get(0));
		}

		@Override
		public void work(String id) {
		}

	}

	static class OnAnother {

		private @Nullable OnAnother self;

		void all(List<String> ids, Supplier<OnAnother> other) {
			if (this.self != null) {
				this.self.work(ids.get(0));
			}
			other.get().work(ids.get(1));
			ids.forEach(other.get()::work);
		}

		void proxy(OnAnother proxy) {
			this.self = proxy;
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class OnAnotherInArguments {

		private final OnAnotherInArguments proxy = this;

		void all(List<String> ids, boolean first) {
			both(this, first ? ids.get(0) : this.proxy.work(ids.get(1)));
		}

		String both(OnAnotherInArguments one, String id) {
			return (one != this) ? one.work(id) : id;
		}

		@DistributedLock(name = "a", key = "#id")
		String work(String id) {
			return id;
		}

	}

	static class Base {

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

	static class SuperMethod extends Base {

		@Override
		void work(String id) {
			super.work(id + "!");
		}

	}

	static class UnderTheSameLock {

		@DistributedLock("a")
		void all(List<String> ids) {
			work(ids.get(0));
		}

		@DistributedLock("a")
		void work(String id) {
		}

	}

	interface Handler<T> {

		Object work(T value);

	}

	static class BridgeOfAGenericOverride implements Handler<String> {

		@Override
		@DistributedLock(name = "a", key = "#value")
		public Object work(String value) {
			return value;
		}

	}

	static class BridgeOfACovariantOverride implements Handler<Object> {

		@Override
		@DistributedLock(name = "a", key = "#value")
		public String work(Object value) {
			return value.toString();
		}

	}

	static class OfAnOverload {

		void all(List<String> ids) {
			work(ids.size());
		}

		void work(int number) {
		}

		@DistributedLock(name = "a", key = "#id")
		void work(String id) {
		}

	}

}
