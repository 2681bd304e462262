/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.time.Duration;

import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import org.junit.jupiter.api.Test;

/**
 * Five short runs, as src/test/resources/transcripts shows them to readers who learn the
 * protocol. If the protocol changes, {@code -Dreference.write=true} writes them again.
 */
class TranscriptTests {

	private final Transcript transcript = new Transcript();

	@Test
	void anAcquire() throws IOException {
		this.transcript.tryAcquire("A");
		pass(3000);
		this.transcript.tryAcquire("B");
		pass(1000);
		this.transcript.release("A");
		pass(1000);
		this.transcript.tryAcquire("B");
		pass(100);
		this.transcript.assertIs("acquire");
	}

	@Test
	void aTakeover() throws IOException {
		this.transcript.tryAcquire("A");
		pass(100);
		this.transcript.cutOff("A");
		this.transcript.acquire("B");
		pass(12_000);
		this.transcript.assertIs("takeover");
	}

	@Test
	void aHandOff() throws IOException {
		this.transcript.tryAcquire("A/1");
		pass(100);
		this.transcript.acquire("A/2");
		pass(100);
		this.transcript.release("A/1");
		pass(100);
		this.transcript.release("A/2");
		pass(100);
		this.transcript.tryAcquire("B");
		pass(100);
		this.transcript.assertIs("hand-off");
	}

	@Test
	void aLostAnswer() throws IOException {
		this.transcript.nextCall("A", Fault.ANSWER_LOST);
		this.transcript.acquire("A");
		pass(6000);
		this.transcript.nextCall("A", Fault.ANSWER_LOST);
		this.transcript.release("A");
		pass(6000);
		this.transcript.assertIs("lost-answer");
	}

	@Test
	void aReleaseBesideAHungHeartbeat() throws IOException {
		this.transcript.tryAcquire("A");
		pass(2000);
		this.transcript.nextCall("A", Fault.REQUEST_SLOW);
		pass(1000);
		this.transcript.release("A");
		pass(2000);
		this.transcript.assertIs("release-beside-a-hung-heartbeat");
	}

	private void pass(int millis) {
		this.transcript.pass(Duration.ofMillis(millis));
	}

}
