/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.boot.autoconfigure.LockClientBuilderCustomizer;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.Parallel;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Order(1)
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockEventTests {

	@Test
	void grantAndReleaseArePublishedWithKeyNameAndToken(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire(LockRequest.of("k").name("orders"));
			lock.release();
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(2));
			assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class, LockReleasedEvent.class)
				.allSatisfy((event) -> {
					assertThat(event.lock()).isSameAs(lock);
					assertThat(event.key()).isEqualTo(lock.key());
					assertThat(event.name()).hasValue("orders");
					assertThat(event.fencingToken()).isEqualTo(lock.fencingToken());
				});
		});
	}

	@Test
	void eventsOfOneLockComeInOrderHoweverManyLocksThereAre(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			int locks = 50;
			Parallel.forEach(locks, (each) -> template.executeWithoutResult("k" + each, HeldLock::ensureHeld));
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(2 * locks));
			Map<HeldLock, List<LockEvent>> byLock = recorder.byLock;
			assertThat(byLock).hasSize(locks);
			assertThat(byLock.values()).allSatisfy((events) -> assertThat(events)
				.hasExactlyElementsOfTypes(LockAcquiredEvent.class, LockReleasedEvent.class));
		});
	}

	@Test
	void aLossIsPublishedOnceWithItsReasonAndNoReleaseAfterIt(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			HeldLock lock = client.acquire("k");
			client.forceRelease(lock.key(), lock.record().ownerName());
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::renew);
			lock.release();
			client.acquire("last").release();
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(4));
			assertThat(recorder.of(lock)).hasExactlyElementsOfTypes(LockAcquiredEvent.class, LockLostEvent.class);
			assertThat(recorder.of(lock).get(1))
				.isEqualTo(new LockLostEvent(lock, LossReason.RELEASED_BY_ADMINISTRATOR));
		});
	}

	@Test
	void theExpiryWarningIsPublishedWhileTheLockIsStillHeld(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).withBean(Recorder.class).run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire("k");
			calls.deny(UpdateItemRequest.class::isInstance);
			Recorder recorder = context.getBean(Recorder.class);
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class,
						LockExpiringEvent.class, LockLostEvent.class));
			assertThat(((LockLostEvent) recorder.events.get(2)).reason()).isEqualTo(LossReason.EXPIRED);
			assertThat(lock.isHeld()).isFalse();
			calls.deny((request) -> false);
		});
	}

	@Test
	@SuppressWarnings("FutureReturnValueIgnored") // the acquisition only has to wait
	void aHolderIsToldOnceThatAnotherClientWaits(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.heartbeat-period=500ms");
		node.run((waiting) -> node.run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire("k");
			waiting.getBean(LockClient.class).acquireAsync("k");
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).contains(new LockContendedEvent(lock)));
			assertThat(lock.isContended()).isTrue();
			lock.release();
			await().untilAsserted(() -> assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class,
					LockContendedEvent.class, LockReleasedEvent.class));
		}));
	}

	@Test
	void aTakeoverIsPublishedAfterTheGrantWithThePreviousOwner(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=2s");
		node.run((crashed) -> node.run((context) -> {
			LockClient client = crashed.getBean(LockClient.class);
			String owner = client.acquire("k").record().ownerName();
			client.closeWithoutReleasing();
			HeldLock lock = context.getBean(LockClient.class).acquire("k");
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class,
					LockTakenOverEvent.class));
			LockTakenOverEvent event = (LockTakenOverEvent) recorder.events.get(1);
			assertThat(event.lock()).isSameAs(lock);
			assertThat(event.previous().ownerName()).isEqualTo(owner);
			assertThat(event.silent()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
		}));
	}

	@Test
	void aListenerThatThrowsIsLoggedAndHarmsNothing(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			context.getBean(Recorder.class).behaviour = (event) -> {
				throw new IllegalStateException("thrown by the test's listener");
			};
			HeldLock lock = context.getBean(LockClient.class).acquire("k");
			lock.renew();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			await().untilAsserted(() -> assertThat(log).contains("A listener of lock 'k' failed")
				.contains("thrown by the test's listener"));
		});
	}

	@Test
	void aListenerThatNeverReturnsDelaysNeitherLocksNorOtherListenersNorTheShutdown(EmbeddedDynamoDb dynamoDb) {
		Recorder blocked = new Recorder();
		CountDownLatch never = new CountDownLatch(1);
		blocked.behaviour = (event) -> awaitUninterruptibly(never);
		List<String> told = new CopyOnWriteArrayList<>();
		LockNode.of(dynamoDb)
			.withBean(Recorder.class, () -> blocked)
			.withBean(LockListener.class, () -> new LockListener() {
				@Override
				public void onRenewed(HeldLock lock) {
					told.add("renewed");
				}

				@Override
				public void onReleased(HeldLock lock) {
					told.add("released");
				}
			})
			.withPropertyValues("dynamodb-lock.lease-duration=4s")
			.run((context) -> {
				LockClient client = context.getBean(LockClient.class);
				HeldLock lock = client.acquire("k");
				await().untilAsserted(() -> assertThat(blocked.events).hasSize(1));
				// More heartbeats than one lease has room for.
				await().atMost(Duration.ofSeconds(30)).until(() -> told.size() > 5);
				client.acquire("other").release();
				assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
				await().until(() -> told.contains("released"));
				assertThat(blocked.of(lock)).hasExactlyElementsOfTypes(LockAcquiredEvent.class);
			});
		// The context is closed now, although the listener has not returned.
		assertThat(never.getCount()).isEqualTo(1);
		never.countDown();
	}

	@Test
	void nothingIsPublishedOnceTheContextCloses(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		Recorder recorder = new Recorder();
		LockNode.of(dynamoDb).withBean(Recorder.class, () -> recorder).run((context) -> {
			context.getBean(LockClient.class).acquire("k");
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(1));
		});
		assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class);
		assertThat(log).doesNotContain("A listener of");
	}

	@Test
	void nothingIsPublishedBeforeEveryBeanIsThere(EmbeddedDynamoDb dynamoDb) {
		// On the thread that locks: what is published at start is published before the
		// end of the start.
		LockClientBuilderCustomizer onCallersThread = (builder) -> builder.listenerExecutor(Runnable::run);
		ApplicationContextRunner node = node(dynamoDb)
			.withBean(LockClientBuilderCustomizer.class, () -> onCallersThread)
			.withBean(AtStart.class)
			.withBean(EarlyListener.class);
		node.run((context) -> {
			context.getBean(LockClient.class).acquire("k").release();
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(2));
			assertThat(recorder.events).allSatisfy((event) -> assertThat(event.key().partition()).isEqualTo("k"));
			await().untilAsserted(() -> assertThat(context.getBean(EarlyListener.class).keys).containsOnly("k"));
		});
	}

	@Test
	void aClientOfTheApplicationsOwnPublishesOnceItIsGivenThePublisher(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			String table = context.getEnvironment().getRequiredProperty("dynamodb-lock.table.name");
			try (LockClient own = LockClient.builder(dynamoDb.client())
				.tableName(table)
				.listener(context.getBean(LockEventPublisher.class))
				.build()) {
				own.acquire("k");
				Recorder recorder = context.getBean(Recorder.class);
				await().untilAsserted(
						() -> assertThat(recorder.events).hasExactlyElementsOfTypes(LockAcquiredEvent.class));
			}
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb).withBean(Recorder.class);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				// What a listener that never returns does with an interrupt.
			}
		}
	}

	static class Recorder {

		final List<LockEvent> events = new CopyOnWriteArrayList<>();

		final Map<HeldLock, List<LockEvent>> byLock = new ConcurrentHashMap<>();

		volatile Consumer<LockEvent> behaviour = (event) -> {
		};

		List<LockEvent> of(HeldLock lock) {
			return Objects.requireNonNull(this.byLock.get(lock));
		}

		@EventListener
		void on(LockEvent event) {
			this.byLock.computeIfAbsent(event.lock(), (lock) -> new CopyOnWriteArrayList<>()).add(event);
			this.events.add(event);
			this.behaviour.accept(event);
		}

	}

	/** Can be called before all beans are there, unlike an annotated method. */
	static class EarlyListener implements ApplicationListener<PayloadApplicationEvent<?>> {

		final List<String> keys = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<?> event) {
			if (event.getPayload() instanceof LockEvent lockEvent) {
				this.keys.add(lockEvent.key().partition());
			}
		}

	}

	static class AtStart {

		AtStart(LockClient client) throws InterruptedException {
			// A blocked worker of the tests' pool would leave the call to the client's
			// threads.
			Thread thread = new Thread(() -> {
				try {
					client.acquire("at start").release();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			});
			thread.start();
			thread.join();
		}

	}

}
