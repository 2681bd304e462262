/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.spring.boot.test.InMemoryLocks;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** The starter in test slices, on each line of Spring Boot. */
class SliceTests {

	@Nested
	@WebMvcTest(controllers = {}, excludeFilters = @Filter(type = FilterType.REGEX, pattern = ".*"))
	@ContextConfiguration(classes = OrdersApiApplication.class)
	class Web {

		@Test
		void hasNoLockClient(@Autowired ObjectProvider<LockClient> clients) {
			assertThat(clients.stream()).isEmpty();
		}

	}

	@Nested
	@DataJpaTest
	@ContextConfiguration(classes = OrdersApiApplication.class)
	class Jpa {

		@Test
		void hasNoLockClient(@Autowired ObjectProvider<LockClient> clients) {
			assertThat(clients.stream()).isEmpty();
		}

	}

	@Nested
	@DataJpaTest
	@InMemoryLocks
	@ContextConfiguration(classes = OrdersApiApplication.class)
	class JpaWithLocks {

		@Test
		void hasLocksInMemory(@Autowired LockClient client) throws Exception {
			client.acquire("slice").close();
			assertThat(client.find("slice")).isPresent();
		}

	}

}
