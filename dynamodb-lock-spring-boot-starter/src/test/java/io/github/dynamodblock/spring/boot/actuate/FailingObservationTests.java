/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the application adds to observations fails, and locks do not.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class FailingObservationTests {

	private static final LockRequest REQUEST = LockRequest.of("k").name("orders").waitTime(Duration.ZERO);

	private static final String WARNING = "failed; the lock is not affected";

	private final ObservationRegistry registry = ObservationRegistry.create();

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.INCLUDE, names = { "ERROR", "STOP" })
	void aHandlerThatThrowsAtTheEndLosesNoLock(Step step, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		this.registry.observationConfig().observationHandler(new FailingHandler(step));
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (HeldLock lock = client.acquire(REQUEST)) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(this.registry.getCurrentObservation()).isNull();
				assertThat(client.tryAcquire(REQUEST)).isEmpty();
				assertThatExceptionOfType(LockNotGrantedException.class).isThrownBy(() -> client.acquire(REQUEST))
					.satisfies((refusal) -> assertThat(refusal.getSuppressed()).isEmpty());
				assertThat(client.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(1)), Runnable::run).cancel(true))
					.isTrue();
			}
			assertThat(client.tryAcquire(REQUEST)).hasValueSatisfying(HeldLock::release);
			CompletableFuture<HeldLock> later = client.acquireAsync(REQUEST, Runnable::run);
			assertThat(later).succeedsWithin(Duration.ofSeconds(20)).satisfies(HeldLock::release);
			assertThat(client.held()).isEmpty();
			assertThat(log).contains(WARNING, "no " + step + " today");
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.INCLUDE, names = { "START", "SCOPE_OPENED" })
	void aHandlerThatThrowsAtTheBeginAcquiresNoLock(Step step, EmbeddedDynamoDb dynamoDb) {
		this.registry.observationConfig().observationHandler(new FailingHandler(step));
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			assertThatIllegalStateException().isThrownBy(() -> client.acquire(REQUEST))
				.withMessage("no " + step + " today");
			assertThat(client.held()).isEmpty();
			assertThat(client.find("k")).isEmpty();
		});
	}

	@Test
	void aFilterThatThrowsHarmsNoLock(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		this.registry.observationConfig()
			.observationHandler(new FailingHandler(Step.NONE))
			.observationFilter((context) -> {
				throw new IllegalStateException("no filter today");
			});
		node(dynamoDb).run((context) -> {
			assertLockable(context.getBean(LockClient.class));
			assertThat(log).contains(WARNING).contains("no filter today");
		});
	}

	@Test
	void aConventionThatThrowsAtTheEndLosesNoLock(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		this.registry.observationConfig().observationHandler(new FailingHandler(Step.NONE));
		this.registry.observationConfig().observationConvention(new FailingConvention());
		node(dynamoDb).run((context) -> {
			assertLockable(context.getBean(LockClient.class));
			assertThat(log).contains(WARNING, "no convention today");
		});
	}

	@Test
	void anErrorOfTheClientLeavesNoObservationOnItsThread() {
		this.registry.observationConfig().observationHandler(new FailingHandler(Step.NONE));
		LockClient failing = Mockito.mock(LockClient.class, (call) -> {
			throw new NoClassDefFoundError("no class today");
		});
		LockClient client = (LockClient) new InstrumentedLockClients(() -> this.registry, null)
			.postProcessBeforeInitialization(failing, "client");
		assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(() -> client.acquire(REQUEST));
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	private static void assertLockable(LockClient client) throws InterruptedException {
		for (int i = 0; i < 2; i++) {
			try (HeldLock lock = client.acquire(REQUEST)) {
				assertThat(lock.isHeld()).isTrue();
			}
			assertThat(client.acquireAsync(REQUEST, Runnable::run)).succeedsWithin(Duration.ofSeconds(20))
				.satisfies(HeldLock::release);
		}
		assertThat(client.held()).isEmpty();
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> this.registry);
	}

	/** What a handler is told, or nothing. */
	enum Step {

		NONE, START, SCOPE_OPENED, ERROR, STOP

	}

	private static final class FailingHandler implements ObservationHandler<LockAcquisitionContext> {

		private final Step failing;

		FailingHandler(Step failing) {
			this.failing = failing;
		}

		private void come(Step step) {
			if (step == this.failing) {
				throw new IllegalStateException("no " + step + " today");
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof LockAcquisitionContext;
		}

		@Override
		public void onStart(LockAcquisitionContext context) {
			come(Step.START);
		}

		@Override
		public void onScopeOpened(LockAcquisitionContext context) {
			come(Step.SCOPE_OPENED);
		}

		@Override
		public void onError(LockAcquisitionContext context) {
			come(Step.ERROR);
		}

		@Override
		public void onStop(LockAcquisitionContext context) {
			come(Step.STOP);
		}

	}

	private static final class FailingConvention extends DefaultLockObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(LockAcquisitionContext context) {
			if (!context.getOutcome().equals("unknown")) {
				throw new IllegalStateException("no convention today");
			}
			return super.getLowCardinalityKeyValues(context);
		}

	}

}
