/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.samples.leaderelection.ledger.Line;
import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReignTests {

	@Test
	void reignLastsFromItsFirstToItsLastAcceptedLine() {
		List<Entry> entries = List.of(entry(1, "first", What.GRANTED, 5, true), entry(2, "first", What.WORK, 5, true),
				entry(3, "first", What.WORK, 5, true), entry(4, "second", What.WORK, 6, true),
				entry(5, "first", What.WORK, 5, false), entry(6, "first", What.REVOKED, 5, true));

		assertThat(Reign.of(entries)).containsExactly(new Reign("first", 5, time(2), time(3), 2, 1),
				new Reign("second", 6, time(4), time(4), 1, 0));
	}

	private static Entry entry(int number, String node, What what, long token, boolean accepted) {
		return new Entry(number, time(number), new Line(node, what, token, 0, "-"), accepted);
	}

	private static Instant time(int second) {
		return Instant.ofEpochSecond(second);
	}

}
