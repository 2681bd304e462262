/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.security.TokenIssuer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class WatchersPerOwnerTests {

	@Test
	void anOwnerThatWatchesAsOftenAsItMayLeavesRoomForOthers() throws Exception {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance instance = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
						"lock-server.page.most-watchers-per-owner=2")) {
			String alice = issuer.token("alice");
			try (EventStream first = EventStream.open(instance.port(), null, alice);
					EventStream second = EventStream.open(instance.port(), null, alice)) {
				Awaitility.await().until(() -> !first.events().isEmpty() && !second.events().isEmpty());

				Answer third = instance.calls(alice)
					.call("GET", "/v1/locks", null, (request) -> request.header("Accept", "text/event-stream"));

				assertThat(third.status()).isEqualTo(429);
				assertThat(third.header("Retry-After")).isEqualTo("10");
				try (EventStream other = EventStream.open(instance.port(), null, issuer.token("bob"))) {
					Awaitility.await().until(() -> !other.events().isEmpty());
				}
			}
		}
	}

}
