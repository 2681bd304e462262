/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the lock client is asked.
 */
@ExtendWith(DynamoDbExtension.class)
class LockGrantsTests {

	@ParameterizedTest
	@CsvSource({ "PT2S, PT10S", "PT10S, PT10S", "PT20S, PT20S", "PT1M, PT1M", "PT1H, PT1M" })
	void aReleaseWaitsForAboutAsLongAsItMayBeInOthersWay(Duration lease, Duration waitTime, EmbeddedDynamoDb dynamoDb)
			throws Exception {
		List<ReleaseRequest> asked = new ArrayList<>();
		try (RegistryNode node = RegistryNode.of(dynamoDb)) {
			LockGrants grants = new LockGrants(node.client(), UnaryOperator.identity(), LockGrants.PATIENCE);
			HeldLock held = node.client()
				.acquire(LockRequest.of(LockKey.of("k")).leaseDuration(lease).deleteOnRelease(true));
			grants.release(overheard(held, asked));
			assertThat(node.client().list()).isEmpty();
		}
		assertThat(asked).hasSize(1);
		assertThat(asked.get(0).waitTime()).isEqualTo(waitTime);
	}

	/** The lock, and how it is released. */
	private static HeldLock overheard(HeldLock held, List<ReleaseRequest> asked) {
		return (HeldLock) Proxy.newProxyInstance(HeldLock.class.getClassLoader(), new Class<?>[] { HeldLock.class },
				(proxy, method, arguments) -> {
					if (arguments != null && arguments[0] instanceof ReleaseRequest request) {
						asked.add(request);
					}
					return method.invoke(held, arguments);
				});
	}

}
