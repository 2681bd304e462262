/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.ScheduledLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockDefinitionReaderTests {

	@ParameterizedTest
	@CsvSource({ "nothing, VALUE", "primitive, VALUE", "text, VALUE", "optional, VALUE", "future, FUTURE",
			"stage, FUTURE", "mono, MONO", "flux, FLUX" })
	void knowsWhatTheMethodGivesBack(String method, ReturnKind kind) {
		assertThat(definition(method).returnKind()).isEqualTo(kind);
	}

	@Test
	void theEmptyValueOfAnOptionalIsNotNull() {
		assertThat(definition("optional").empty()).isEqualTo(Optional.empty());
		assertThat(definition("optionalInt").empty()).isEqualTo(OptionalInt.empty());
		assertThat(definition("optionalLong").empty()).isEqualTo(OptionalLong.empty());
		assertThat(definition("optionalDouble").empty()).isEqualTo(OptionalDouble.empty());
		assertThat(definition("text").empty()).isNull();
	}

	@Test
	void aClassThatIsMadeAtRunTimeGivesNoDefaultName() {
		Unnamed lambda = () -> {
		};
		assertThatExceptionOfType(InvalidDistributedLockException.class)
			.isThrownBy(() -> definition(lambda.getClass(), "work"))
			.withMessageContainingAll("attribute 'name'", "a lambda or other class generated at run time",
					"set a name");
	}

	@Test
	void aLambdaWhoseMethodHasANameForItsLockIsLockedByIt() {
		Named lambda = () -> {
		};
		assertThat(definition(lambda.getClass(), "work").name()).isEqualTo("named");
	}

	@Test
	void theAnnotationOfAClassReplacesThatOfItsInterface() {
		LockDefinition definition = definition(Replacing.class, "work");
		assertThat(definition.name()).isEqualTo("replacing");
		assertThat(definition.onBusy()).isEqualTo(OnBusy.THROW);
		assertThat(definition.job()).isNull();
		assertThat(definition(Inheriting.class, "work").job()).isNotNull();
	}

	@Test
	void aJdkProxyIsNamedForItsInterface() {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Runnable.class, Unnamed.class }, (self, method, arguments) -> null);
		Method method = ClassUtils.getMethod(Unnamed.class, "work");
		assertThat(new LockDefinitions(new DefaultListableBeanFactory()).get(method, proxy.getClass()).name())
			.isEqualTo("Unnamed.work");
	}

	private static LockDefinition definition(String method) {
		return definition(Results.class, method);
	}

	private static LockDefinition definition(Class<?> type, String method) {
		return new LockDefinitions(new DefaultListableBeanFactory()).get(Arrays.stream(type.getMethods())
			.filter((candidate) -> candidate.getName().equals(method))
			.findFirst()
			.orElseThrow(), type);
	}

	interface Unnamed {

		@DistributedLock
		void work();

	}

	interface Named {

		@DistributedLock("named")
		void work();

	}

	@DistributedLock
	static class Results {

		public void nothing() {
		}

		public int primitive() {
			return 1;
		}

		public String text() {
			return "";
		}

		public Optional<String> optional() {
			return Optional.empty();
		}

		public OptionalInt optionalInt() {
			return OptionalInt.empty();
		}

		public OptionalLong optionalLong() {
			return OptionalLong.empty();
		}

		public OptionalDouble optionalDouble() {
			return OptionalDouble.empty();
		}

		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("");
		}

		public CompletionStage<String> stage() {
			return future();
		}

		public Mono<String> mono() {
			return Mono.empty();
		}

		public Flux<String> flux() {
			return Flux.empty();
		}

	}

	interface Report {

		@ScheduledLock(name = "report")
		void work();

	}

	static class Replacing implements Report {

		@Override
		@Scheduled(cron = "0 0 * * * *")
		@DistributedLock("replacing")
		public void work() {
		}

	}

	static class Inheriting implements Report {

		@Override
		@Scheduled(cron = "0 0 * * * *")
		public void work() {
		}

	}

}
