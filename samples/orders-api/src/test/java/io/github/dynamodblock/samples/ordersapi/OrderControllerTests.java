/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.Test;

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

	private MvcTestResult addItem(long cents) {
		return this.mvc.post()
			.uri("/orders/42/items")
			.contentType("application/json")
			.content("{\"cents\":" + cents + "}")
			.exchange();
	}

}
