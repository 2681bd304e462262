/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import io.github.dynamodblock.samples.lockservice.LockServiceCalls;
import io.github.dynamodblock.samples.lockservice.LockServiceCalls.Answer;
import io.github.dynamodblock.samples.lockservice.RunningLockService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockService
class LockApiTests {

	@LocalServerPort
	private int port;

	@Test
	void aFreeLockIsShownWithoutOwnerAndExpiry() {
		Answer answer = LockServiceCalls.on(this.port).get("free-lock", "lock");

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).isEqualTo("{\"namespace\":\"free-lock\",\"lockName\":\"lock\"}");
	}

	@Test
	void aFreeLockIsGranted() {
		Answer answer = LockServiceCalls.on(this.port).acquire("granted", "lock", "instance", 60);

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).matches("""
				\\{"success":true,"namespace":"granted","lockName":"lock","owner":"anonymous","instanceId":"instance",\
				"leaseDuration":60,"expiry":\\d+,"fencingToken":\\d+}""");
	}

}
