/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;

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
class StreamEndTests {

	/** Less than the web server would wait for a stream that goes on. */
	private static final Duration STOP = Duration.ofSeconds(15);

	@Test
	void aStreamEndsWithItsTokenAndTheOthersWithTheService() throws Exception {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance instance = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING)) {
			String brief = issuer
				.token((claims) -> claims.subject("alice").expirationTime(Date.from(Instant.now().plusSeconds(3))));
			try (EventStream ending = EventStream.open(instance.port(), null, brief);
					EventStream staying = EventStream.open(instance.port(), null, issuer.token("alice"))) {
				Awaitility.await().until(() -> !ending.events().isEmpty() && !staying.events().isEmpty());
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(ending::isEnded);
				assertThat(staying.isEnded()).isFalse();

				Instant stop = Instant.now();
				instance.close();
				Awaitility.await().until(staying::isEnded);
				assertThat(Duration.between(stop, Instant.now())).isLessThan(STOP);
			}
		}
	}

}
