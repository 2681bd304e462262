/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import java.util.stream.Stream;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

@WebMvcTest(OrderController.class)
class OrderControllerTests {

	@MockitoBean
	OrderService orders;

	@Autowired
	MockMvcTester mvc;

	@Test
	void addsAnItem() {
		given(this.orders.addItem(42, new Item(250))).willReturn(new OrderResponse(42, 1, 250));
		assertThat(addItem(250)).hasStatusOk()
			.bodyJson()
			.isStrictlyEqualTo("{\"id\":42,\"items\":1,\"totalCents\":250}");
	}

	@Test
	void anItemWithANegativePriceIsABadRequest() {
		assertThat(addItem(-250)).hasStatus(HttpStatus.BAD_REQUEST);
		then(this.orders).shouldHaveNoInteractions();
	}

	@Test
	void anUnknownOrderIsNotFound() {
		given(this.orders.addItem(anyLong(), any())).willThrow(new OrderNotFoundException(42));
		assertThat(addItem(250)).hasStatus(HttpStatus.NOT_FOUND);
	}

	@Test
	void aBusyOrderIsLocked() {
		given(this.orders.addItem(anyLong(), any()))
			.willThrow(new LockNotGrantedException(LockKey.of("order:42"), "it is held by node-1", null, null));
		assertThat(addItem(250)).hasStatus(HttpStatus.LOCKED)
			.hasHeader("Retry-After", "1")
			.bodyText()
			.doesNotContain("node-1");
	}

	@Test
	void aLostLockIsAConflict() {
		given(this.orders.addItem(anyLong(), any()))
			.willThrow(new LockLostException(LockKey.of("order:42"), LossReason.STOLEN, 7));
		assertThat(addItem(250)).hasStatus(HttpStatus.CONFLICT).hasHeader("Retry-After", "1");
	}

	@ParameterizedTest
	@MethodSource
	void ordersCannotBeChangedWithoutLocks(RuntimeException problem) {
		given(this.orders.addItem(anyLong(), any())).willThrow(problem);
		assertThat(addItem(250)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE).hasHeader("Retry-After", "1");
	}

	static Stream<RuntimeException> ordersCannotBeChangedWithoutLocks() {
		return Stream.of(new LockStoreException("DynamoDB did not answer", null),
				new LockClientClosedException("node-1"), new LockWaitInterruptedException(LockKey.of("order:42"),
						"OrderService.addItem", new InterruptedException()));
	}

	private MvcTestResult addItem(long cents) {
		return this.mvc.post()
			.uri("/orders/42/items")
			.contentType("application/json")
			.content("{\"cents\":" + cents + "}")
			.exchange();
	}

}
