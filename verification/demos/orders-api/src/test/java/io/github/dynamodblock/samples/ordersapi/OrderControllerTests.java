/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/** A slice needs no locks, and no table. */
@WebMvcTest(OrderController.class)
class OrderControllerTests {

	@MockitoBean
	private Orders orders;

	@Test
	void anItemIsAddedByAPost(@Autowired MockMvcTester mvc) throws Exception {
		given(this.orders.addItem(42, new Item(250))).willReturn(new Receipt(42, 1, 250, 7L));
		assertThat(mvc.post().uri("/orders/42/items").contentType("application/json").content("{\"cents\":250}"))
			.hasStatusOk()
			.bodyJson()
			.extractingPath("$.fencingToken")
			.isEqualTo(7);
	}

	@Test
	void thereIsNoLockClient(@Autowired ApplicationContext context) {
		assertThat(context.getBeansOfType(LockClient.class)).isEmpty();
	}

}
