/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;
import io.github.dynamodblock.samples.leaderelection.ledger.Line;
import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class LedgerTests {

	private final List<Entry> news = new CopyOnWriteArrayList<>();

	private Ledger ledger;

	private LedgerClient first;

	private LedgerClient second;

	@BeforeEach
	void open() throws IOException {
		this.ledger = Ledger.open(this.news::add);
		this.first = connect("first");
		this.second = connect("second");
	}

	@AfterEach
	void close() throws IOException {
		this.first.close();
		this.second.close();
		this.ledger.close();
	}

	@Test
	void linesOfAllNodesAreInOneOrder() throws IOException {
		this.first.tellReady();
		this.first.tellGranted(5);
		assertThat(this.first.write(5, this.first.lines())).isTrue();
		this.second.tellGranted(6);
		assertThat(this.second.write(6, this.second.lines())).isTrue();
		this.first.tellRevoked(5, "EXPIRED");

		assertThat(this.ledger.entries()).extracting(Entry::number).containsExactly(1, 2, 3, 4, 5, 6);
		assertThat(this.ledger.entries()).extracting(Entry::line)
			.containsExactly(new Line("first", What.READY, 0, 0, "-"), new Line("first", What.GRANTED, 5, 0, "-"),
					new Line("first", What.WORK, 5, 2, "-"), new Line("second", What.GRANTED, 6, 0, "-"),
					new Line("second", What.WORK, 6, 4, "-"), new Line("first", What.REVOKED, 5, 0, "EXPIRED"));
		assertThat(this.ledger.entries()).allMatch(Entry::accepted).isEqualTo(this.news);
	}

	@Test
	void workUnderASmallerTokenIsRefusedAndWrittenDownAsThat() throws IOException {
		assertThat(this.second.write(6, 0)).isTrue();
		assertThat(this.first.write(5, 0)).isFalse();
		assertThat(this.second.write(6, 2)).isTrue();

		assertThat(this.ledger.entries()).extracting(Entry::accepted).containsExactly(true, false, true);
	}

	@Test
	void grantOfALaterLeaderIsEnoughToRefuseTheEarlierOne() throws IOException {
		assertThat(this.first.write(5, 0)).isTrue();
		this.second.tellGranted(6);

		assertThat(this.first.write(5, 1)).isFalse();
	}

	@Test
	void closedLedgerIsTold() throws IOException {
		this.ledger.close();

		assertThatIOException().isThrownBy(() -> this.first.lines());
	}

	private LedgerClient connect(String node) throws IOException {
		LedgerClient client = LedgerClient.connect(InetAddress.getLoopbackAddress(), this.ledger.port(), node);
		assertThat(client.lines()).isZero();
		return client;
	}

}
