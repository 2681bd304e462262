/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.wire;

import java.io.IOException;

import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Checker;
import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.checker.Resource;
import io.github.dynamodblock.faults.checker.Rule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageServerTests {

	private final History history = new History();

	private final MessageServer server = new MessageServer(this.history, 2, System::nanoTime);

	private final Connection connection = new Connection(this.server.port());

	MessageServerTests() throws IOException {
	}

	@AfterEach
	void close() throws IOException {
		this.connection.close();
		this.server.close();
	}

	@Test
	void reportsOfAnAttemptBecomeHistory() throws IOException {
		this.connection.tell(new Message.Granted(new Grant("a", new Owner(0, 1), 1, 5L, 1, 2, 10, false)));
		this.connection.tell(new Message.SeenHeld("a", 3, 4));
		this.connection.tell(new Message.Lost("a", "EXPIRED", 20, 12));
		this.connection.tell(new Message.Lost("a", "EXPIRED", 21, 12));
		this.connection.tell(new Message.Releasing("a"));
		this.connection.tell(new Message.Ended("a", 22, 23, "LOST"));
		this.connection.tell(new Message.LossSeen("a", 23));
		this.connection.tell(new Message.Count("attempts"));
		this.connection.tell(new Message.Problem("the workload fell"));
		Awaitility.await().until(() -> Checker.check(this.history).size() == 2);
		assertThat(Checker.check(this.history)).extracting(Finding::rule)
			.containsExactly(Rule.WORKER, Rule.LOSS_TOLD_ONCE);
		assertThat(this.history.counts()).containsEntry("attempts", 1L);
		assertThat(this.history.holds()).singleElement().satisfies((hold) -> assertThat(hold.lastKnown()).isEqualTo(4));
	}

	@Test
	void resourceAnswersQuestions() throws IOException {
		assertThat(this.connection.ask(new Message.Claim(1, 5), Boolean.class)).isTrue();
		assertThat(this.connection.ask(new Message.Claim(1, 4), Boolean.class)).isFalse();
		Resource.Values read = this.connection.ask(new Message.Read(1), Resource.Values.class);
		assertThat(this.connection.ask(new Message.Increment("a", 1, 5L, true, read, true), Boolean.class)).isTrue();
		assertThat(this.connection.ask(new Message.Increment("b", 1, 4L, false, read, true), Boolean.class)).isFalse();
		Resource.Values after = this.connection.ask(new Message.Read(1), Resource.Values.class);
		assertThat(after.fenced()).isEqualTo(1);
		assertThat(after.plain()).isEqualTo(1);
	}

	@Test
	void manyMessagesComeThroughOneConnection() throws IOException {
		for (int number = 0; number < 1000; number++) {
			this.connection.tell(new Message.Count("attempts"));
		}
		Awaitility.await().until(() -> this.history.counts().getOrDefault("attempts", 0L) == 1000);
	}

}
