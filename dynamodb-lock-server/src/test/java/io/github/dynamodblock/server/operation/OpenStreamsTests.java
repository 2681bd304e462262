/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link OpenStreams}.
 */
class OpenStreamsTests {

	private final OpenStreams streams = new OpenStreams();

	private final List<String> ended = new ArrayList<>();

	// A stream is removed as the object that was added.
	@SuppressWarnings("UnnecessaryLambda")
	private final Runnable one = () -> this.ended.add("one");

	@SuppressWarnings("UnnecessaryLambda")
	private final Runnable other = () -> this.ended.add("other");

	@Test
	void aStopEndsEachOpenStreamOnce() {
		this.streams.start();
		this.streams.add(this.one);
		this.streams.add(this.other);
		this.streams.remove(this.other);
		assertThat(this.ended).isEmpty();
		this.streams.stop();
		this.streams.stop();
		assertThat(this.ended).containsExactly("one");
	}

	@Test
	void aStreamThatCannotBeEndedDoesNotKeepTheOthersOpen() {
		this.streams.start();
		for (int i = 0; i < 5; i++) {
			this.streams.add(() -> {
				this.ended.add("failed");
				throw new IllegalStateException("This stream cannot be ended, as the test wants it");
			});
		}
		this.streams.stop();
		assertThat(this.ended).hasSize(5);
		assertThat(this.streams.isRunning()).isFalse();
	}

	@Test
	void aStreamThatComesAfterTheStopIsEndedAtOnce() {
		this.streams.start();
		this.streams.stop();
		this.streams.add(this.one);
		assertThat(this.ended).containsExactly("one");
	}

	@Test
	void aStreamMayForgetItselfWhileItIsEnded() {
		this.streams.start();
		Runnable[] itself = new Runnable[1];
		itself[0] = () -> {
			this.streams.remove(itself[0]);
			this.ended.add("itself");
		};
		this.streams.add(itself[0]);
		this.streams.add(this.one);
		this.streams.stop();
		assertThat(this.ended).containsExactlyInAnyOrder("itself", "one");
	}

}
