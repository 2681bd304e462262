/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.terms;
import static org.assertj.core.api.Assertions.assertThat;

class ClaimsTests {

	@Test
	void aWaitWithoutLimitRemembersTheLatestClaimsAlone() {
		Claims claims = new Claims(terms(Long.MAX_VALUE), Given.numbered());
		for (int second = 1; second <= 1000; second++) {
			claims.next(Precondition.FREE, 0, at(second * 1000L));
		}
		assertThat(claims.unresolved()).hasSize(100).contains("mine-1000", "mine-901").doesNotContain("mine-900");
		assertThat(claims.sentAt(ours("mine-1000"))).isEqualTo(at(1_000_000).holderNanos());
		assertThat(claims.sentAt(ours("mine-900"))).isNull();
	}

	@Test
	void aClaimOfTheLastLeaseIsRememberedHoweverManyFollowIt() {
		Claims claims = new Claims(terms(Long.MAX_VALUE), Given.numbered());
		for (int claim = 0; claim < 500; claim++) {
			claims.next(Precondition.FREE, 0, at(claim * 20L));
		}
		assertThat(claims.unresolved()).hasSize(500);
		assertThat(claims.sentAt(ours("mine-1"))).isEqualTo(at(0).holderNanos());
		claims.next(Precondition.FREE, 0, at(10_000));
		assertThat(claims.unresolved()).hasSize(500).doesNotContain("mine-1");
		claims.next(Precondition.FREE, 0, at(60_000));
		assertThat(claims.unresolved()).hasSize(100);
	}

}
