/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.firstlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

@SpringBootTest
class ShippingTests {

	@Autowired
	Shipping shipping;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@Test
	void anOrderWaitsUntilAnotherNodeHasShippedIt() throws Exception {
		CompletableFuture<Void> shipped;
		try (HeldLock lock = this.otherNode.acquire("order:17")) {
			shipped = CompletableFuture.runAsync(() -> this.shipping.ship("17"));
			await().untilAsserted(() -> assertThat(this.otherNode.waiting()).hasSize(1));
			assertThat(shipped).isNotDone();
		}
		assertThat(shipped).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void anotherOrderDoesNotWait() throws Exception {
		try (HeldLock lock = this.otherNode.acquire("order:17")) {
			assertThatNoException().isThrownBy(() -> this.shipping.ship("18"));
		}
	}

}
