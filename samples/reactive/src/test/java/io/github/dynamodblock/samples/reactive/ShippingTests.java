/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.reactive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.timeout;

@SpringBootTest
class ShippingTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@Autowired
	Shipping shipping;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@MockitoBean
	Carrier carrier;

	private final CompletableFuture<String> answer = new CompletableFuture<>();

	@BeforeEach
	void answerLater() {
		given(this.carrier.pickUp(eq("17"), anyLong())).willReturn(Mono.fromFuture(this.answer));
	}

	@Test
	void anOrderWaitsUntilAnotherNodeHasShippedIt() throws Exception {
		this.answer.complete("parcel-17");
		CompletableFuture<String> shipped;
		try (HeldLock lock = this.otherNode.acquire("order:17")) {
			// Subscribes, and returns at once: no thread waits.
			shipped = this.shipping.ship("17").toFuture();
			await().untilAsserted(() -> assertThat(this.otherNode.waiting()).hasSize(1));
			then(this.carrier).shouldHaveNoInteractions();
		}
		assertThat(shipped).succeedsWithin(LIMIT).isEqualTo("parcel-17");
	}

	@Test
	void theLockIsHeldUntilTheCarrierAnswers() throws Exception {
		CompletableFuture<String> shipped = this.shipping.ship("17").toFuture();
		then(this.carrier).should(timeout(LIMIT.toMillis())).pickUp(eq("17"), anyLong());
		assertThat(this.otherNode.tryAcquire("order:17")).isEmpty();
		this.answer.complete("parcel-17");
		assertThat(shipped).succeedsWithin(LIMIT);
		assertThat(this.otherNode.tryAcquire("order:17")).hasValueSatisfying(HeldLock::close);
	}

}
