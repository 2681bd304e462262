/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import com.github.dockerjava.api.DockerClient;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.context.ImportTestcontainers;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A user's test with DynamoDB Local in a container, and what becomes of locks while that
 * stands still. An outage here is the real thing: connections stay open, and nothing
 * answers.
 */
@SpringBootTest(classes = ContainerTests.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ImportTestcontainers
@Tag("testcontainers")
class ContainerTests {

	@ServiceConnection
	static final GenericContainer<?> dynamoDb = new GenericContainer<>("amazon/dynamodb-local:latest")
		.withExposedPorts(8000);

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private Orders orders;

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private LockClient lockClient;

	private boolean paused;

	@AfterEach
	void endTheOutage() {
		if (this.paused) {
			resume();
		}
	}

	@Test
	void annotatedMethodLocksInTheContainer(@Autowired ApplicationContext application) {
		HeldLock lock = this.orders.fulfil();
		assertThat(application.getBeanNamesForType(DynamoDbClient.class)).containsExactly("connectionDynamoDbClient");
		assertThat(lock.key().partition()).isEqualTo("orders");
		assertThat(this.lockClient.find("orders")).get()
			.satisfies((record) -> assertThat(record.fencingToken()).hasValue(lock.fencingToken()));
	}

	@Test
	void aLockOutlivesAnOutageThatIsShorterThanItsLease() throws InterruptedException {
		Told told = new Told();
		try (HeldLock lock = this.lockClient.acquire(LockRequest.of("inventory")
			.leaseDuration(Duration.ofSeconds(20))
			.heartbeatPeriod(Duration.ofSeconds(1))
			.listener(told))) {
			pause();
			await().atMost(Duration.ofSeconds(15)).untilTrue(told.renewalFailed);
			resume();
			told.renewed.set(false);
			await().untilTrue(told.renewed);
			assertThat(lock.isHeld()).isTrue();
			assertThat(this.lockClient.find("inventory")).get()
				.satisfies((record) -> assertThat(record.fencingToken()).hasValue(lock.fencingToken()));
		}
		assertThat(told.lost).hasNullValue();
	}

	@Test
	void aLongerOutageIsALossThatIsToldWhileItLasts() throws InterruptedException {
		Told told = new Told();
		HeldLock lock = this.lockClient.acquire(LockRequest.of("inventory")
			.leaseDuration(Duration.ofSeconds(3))
			.heartbeatPeriod(Duration.ofSeconds(1))
			.listener(told));
		pause();
		await().untilAsserted(() -> assertThat(told.lost).hasValue(LossReason.EXPIRED));
		assertThat(lock.isHeld()).isFalse();
		resume();
		try (HeldLock next = this.lockClient.acquire("inventory")) {
			assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
		}
	}

	private void pause() {
		engine().pauseContainerCmd(dynamoDb.getContainerId()).exec();
		this.paused = true;
	}

	private void resume() {
		engine().unpauseContainerCmd(dynamoDb.getContainerId()).exec();
		this.paused = false;
	}

	private static DockerClient engine() {
		return dynamoDb.getDockerClient();
	}

	private static final class Told implements LockListener {

		private final AtomicBoolean renewed = new AtomicBoolean();

		private final AtomicBoolean renewalFailed = new AtomicBoolean();

		private final AtomicReference<@Nullable LossReason> lost = new AtomicReference<>();

		@Override
		public void onRenewed(HeldLock lock) {
			this.renewed.set(true);
		}

		@Override
		public void onRenewalFailed(HeldLock lock, Throwable cause) {
			this.renewalFailed.set(true);
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			this.lost.set(reason);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	static class Orders {

		@DistributedLock("orders")
		HeldLock fulfil() {
			return LockContext.current().orElseThrow();
		}

	}

}
