/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.PackagePrivateJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

/**
 * What is wrong with an annotation is found when the application starts.
 */
class InvalidAnnotationTests {

	static Stream<Arguments> wrong() {
		return Stream.of(Arguments.of(ColonInName.class, "name", "\"a:b\" contains a colon"),
				Arguments.of(ExpressionInName.class, "name",
						"\"poll-#{#id}\" is literal text: #{...} is not evaluated"),
				Arguments.of(BlankName.class, "name", "is blank"),
				Arguments.of(UnknownPlaceholder.class, "name", "contains a placeholder without a value"),
				Arguments.of(BadDuration.class, "waitTime", "\"5 parsecs\" is not a duration; use"),
				Arguments.of(NegativeDuration.class, "waitTime", "must not be negative"),
				Arguments.of(TooShortLease.class, "leaseDuration", "must be from 100 ms to 365 days"),
				Arguments.of(TooLongHold.class, "holdAtLeast", "must be from 0 s to 365 days"),
				Arguments.of(TooShortLimit.class, "holdAtMost", "must be at least 100 ms"),
				Arguments.of(LongerThanTheLimit.class, "holdAtLeast",
						"it is 60 s, longer than holdAtMost (30 s); shorten it"),
				Arguments.of(UncalledFallback.class, "fallback",
						"\"instead\" is never called, because onBusy is THROW"),
				Arguments.of(TooManyPermits.class, "permits",
						"\"101\" is not a number of permits; use a whole number from 1 to 100"),
				Arguments.of(SomePermits.class, "permits", "\"some\" is not a number of permits"),
				Arguments.of(SkippedPrimitive.class, null,
						"cannot return a value of type int; return a type that can be null"),
				Arguments.of(UnparsableKey.class, "key", "\"#id +\" does not parse"),
				Arguments.of(BlankKey.class, "key", "\"  \" does not parse"),
				Arguments.of(UnknownParameter.class, "key", "#ordre, which the method does not have; it has #order"),
				Arguments.of(NoParameters.class, "key", "the method does not have; it has no parameters"),
				Arguments.of(UnknownPosition.class, "key",
						"#p2, which the method does not have; it has #first, #second"),
				Arguments.of(UnfinishedWork.PlainFuture.class, null,
						"returns Future, so its work may continue after the method returns"),
				Arguments.of(UnfinishedWork.FutureOfItsOwn.class, null, "returns FutureTask, so its work may continue"),
				Arguments.of(UnfinishedWork.PlainPublisher.class, null, "returns Publisher, so its work may continue"),
				Arguments.of(UnfinishedWork.FlowPublisher.class, null,
						"Return CompletableFuture, CompletionStage, Mono or Flux"),
				Arguments.of(UnfinishedWork.WebCallable.class, null, "returns Callable, so its work may continue"),
				Arguments.of(UnfinishedWork.WebDeferredResult.class, null,
						"returns DeferredResult, so its work may continue"),
				Arguments.of(UnfinishedWork.WebTask.class, null, "returns WebAsyncTask, so its work may continue"),
				Arguments.of(UnfinishedWork.WebStream.class, null,
						"returns StreamingResponseBody, so its work may continue"),
				Arguments.of(UnfinishedWork.WebEvents.class, null, "returns SseEmitter, so its work may continue"),
				Arguments.of(UnfinishedWork.LazyStream.class, null,
						"returns Stream, so its work may continue after the method returns"),
				Arguments.of(UnfinishedWork.LazyNumbers.class, null, "returns IntStream, so its work may continue"),
				Arguments.of(PrivateMethod.class, null, "cannot override it because it is private,"),
				Arguments.of(StaticMethod.class, null, "cannot override it because it is static,"),
				Arguments.of(PackagePrivateMethod.class, null,
						"cannot override it because it is package-private in another package"),
				Arguments.of(FinalMethod.class, null, "cannot override it because it is final,"));
	}

	@ParameterizedTest
	@MethodSource("wrong")
	void endsTheStartAndNamesMethodAndAttribute(Class<?> bean, @Nullable String attribute, String problem) {
		node().withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.asInstanceOf(throwable(InvalidDistributedLockException.class))
				.hasMessageContaining(problem)
				.satisfies((failure) -> {
					assertThat(failure.location()).startsWith(bean.getName() + ".work(");
					assertThat(failure.attribute().orElse(null)).isEqualTo(attribute);
				}));
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalClass.class, RecordClass.class })
	void aFinalClassFailsStartupAndIsNamed(Class<?> bean) {
		node().withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContaining(bean.getName() + ".work()")
				.hasMessageContaining("the class is final, as records and Kotlin classes are by default"));
	}

	@Test
	void aFinalClassIsLockedBehindItsInterface() {
		node().withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean(FinalClass.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aHoldThatIsLongerThanTheLimitOfTheClientFailsStartup() {
		LockClient client = Mockito.mock(LockClient.class);
		Mockito.when(client.holdAtMost()).thenReturn(Optional.of(Duration.ofSeconds(30)));
		LockNode.bare()
			.withBean("limited", LockClient.class, () -> client)
			.withBean(LongHold.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("attribute 'holdAtLeast': it is 60 s, longer than holdAtMost (30 s); "
						+ "shorten it, or set a longer holdAtMost (default: dynamodb-lock.hold-at-most)"));
		node().withBean(LongHold.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aFinalMethodOrClassIsRightBehindAnInterface() {
		node().withBean("method", Runnable.class, FinalMethodBehindInterface::new)
			.withBean("class", Runnable.class, FinalBehindInterface::new)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void twoMethodsOfOneDefaultNameAreRefused() {
		node().withBean(Overloaded.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("Overloaded.work", "give each its own name"));
	}

	@Test
	void methodsOfOneNameWithDifferentPermitsAreRefused() {
		node().withBean(OnePermit.class)
			.withBean(TwoPermits.class)
			.withPropertyValues("two=2")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("attribute 'permits'", "OnePermit.work", "TwoPermits.work",
						"Set the same number"));
		node().withBean(OneClass.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("attribute 'permits'", "OneClass.print", "OneClass.scan"));
		node().withBean(OnePermit.class)
			.withBean(TwoPermits.class)
			.withPropertyValues("two=1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void allMistakesAreSaidAtOnce() {
		node().withBean("one", SkippedPrimitive.class)
			.withBean("two", SkippedPrimitive.class)
			.withBean(UnparsableKey.class)
			.withBean(FinalMethod.class)
			.withBean(Right.class)
			.run((context) -> assertThat(context).getFailure()
				.asInstanceOf(throwable(InvalidDistributedLockException.class))
				.hasMessageStartingWith("3 lock annotations are invalid:\n- Lock annotation on ")
				.satisfies((failure) -> assertThat(failure.problems())
					.extracting(InvalidDistributedLockException::location)
					.containsExactly(SkippedPrimitive.class.getName() + ".work()",
							UnparsableKey.class.getName() + ".work(String)", FinalMethod.class.getName() + ".work()"))
				.message()
				.hasLineCount(4));
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("first", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	public static class LongHold {

		@DistributedLock(name = "a", holdAtLeast = "1m")
		public void work() {
		}

	}

	public static class LongerThanTheLimit {

		@DistributedLock(name = "a", holdAtLeast = "1m", holdAtMost = "30s")
		public void work() {
		}

	}

	public static class UncalledFallback {

		@DistributedLock(name = "a", fallback = "instead")
		public String work() {
			return "";
		}

		String instead() {
			return "";
		}

	}

	public static class ExpressionInName {

		@DistributedLock(name = "poll-#{#id}")
		public void work(String id) {
		}

	}

	public static class Right {

		@DistributedLock("right")
		public void work() {
		}

	}

	interface Work {

		void work();

	}

	static final class FinalClass implements Work {

		@Override
		@DistributedLock(name = "work")
		public void work() {
		}

	}

	record RecordClass() {

		@DistributedLock(name = "work")
		public void work() {
		}

	}

	static class ColonInName {

		@DistributedLock("a:b")
		void work() {
		}

	}

	static class BlankName {

		@DistributedLock("${blank:}")
		void work() {
		}

	}

	static class UnknownPlaceholder {

		@DistributedLock("${no.such.property}")
		void work() {
		}

	}

	static class BadDuration {

		@DistributedLock(name = "a", waitTime = "5 parsecs")
		void work() {
		}

	}

	static class NegativeDuration {

		@DistributedLock(name = "a", waitTime = "-5s")
		void work() {
		}

	}

	static class TooManyPermits {

		@DistributedLock(name = "a", permits = "101")
		void work() {
		}

	}

	static class SomePermits {

		@DistributedLock(name = "a", permits = "some")
		void work() {
		}

	}

	static class TooShortLease {

		@DistributedLock(name = "a", leaseDuration = "20ms")
		void work() {
		}

	}

	static class TooLongHold {

		@DistributedLock(name = "a", holdAtLeast = "400d")
		void work() {
		}

	}

	static class TooShortLimit {

		@DistributedLock(name = "a", holdAtMost = "50ms")
		void work() {
		}

	}

	static class SkippedPrimitive {

		@DistributedLock(name = "a", onBusy = OnBusy.SKIP)
		int work() {
			return 1;
		}

	}

	static class UnparsableKey {

		@DistributedLock(name = "a", key = "#id +")
		void work(String id) {
		}

	}

	static class BlankKey {

		@DistributedLock(name = "a", key = "  ")
		void work() {
		}

	}

	static class UnknownParameter {

		@DistributedLock(name = "a", key = "#ordre.id")
		void work(String order) {
		}

	}

	static class NoParameters {

		@DistributedLock(name = "a", key = "#order")
		void work() {
		}

	}

	static class UnknownPosition {

		@DistributedLock(name = "a", key = "#p2")
		void work(String first, String second) {
		}

	}

	static class PrivateMethod {

		@DistributedLock("a")
		private void work() {
		}

		void call() {
			work();
		}

	}

	static class StaticMethod {

		@DistributedLock("a")
		static void work() {
		}

	}

	static class PackagePrivateMethod extends PackagePrivateJob {

	}

	static class FinalMethod {

		@DistributedLock("a")
		final void work() {
		}

	}

	static class FinalMethodBehindInterface implements Runnable {

		@Override
		@DistributedLock("a")
		public final void run() {
		}

	}

	static final class FinalBehindInterface implements Runnable {

		@Override
		@DistributedLock("a")
		public void run() {
		}

	}

	static class OnePermit {

		@DistributedLock("printer")
		void work() {
		}

		@DistributedLock(name = "printer", key = "#id", permits = "3")
		void workOn(String id) {
		}

	}

	static class OneClass {

		@DistributedLock(name = "device", permits = "1")
		void print() {
		}

		@DistributedLock(name = "device", permits = "3")
		void scan() {
		}

	}

	static class TwoPermits {

		@DistributedLock(name = "printer", permits = "${two}")
		void work() {
		}

	}

	static class Overloaded {

		@DistributedLock
		void work(int number) {
		}

		@DistributedLock
		void work(String text) {
		}

	}

}
