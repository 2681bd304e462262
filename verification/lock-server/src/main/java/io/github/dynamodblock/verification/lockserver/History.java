/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of all requests. Thread-safe.
 */
final class History {

	private final List<Call> calls = new ArrayList<>();

	private final List<String> unanswered = new ArrayList<>();

	private final List<String> unavailable = new ArrayList<>();

	private final List<String> failures = new ArrayList<>();

	/** Notes a request that was answered, or has no answer in the end. */
	synchronized void answered(Call call) {
		this.calls.add(call);
	}

	/** Notes that an instance did not answer, or was not even reached. */
	synchronized void unanswered(String instance) {
		this.unanswered.add(instance);
	}

	/** Notes that an instance said that it cannot serve. */
	synchronized void unavailable(String instance) {
		this.unavailable.add(instance);
	}

	/** Notes what a client could not go on with. */
	synchronized void failed(String what) {
		this.failures.add(what);
	}

	synchronized List<Call> calls() {
		return List.copyOf(this.calls);
	}

	/** One entry for each request: the name of the instance. */
	synchronized List<String> unanswered() {
		return List.copyOf(this.unanswered);
	}

	/** One entry for each request: the name of the instance. */
	synchronized List<String> unavailable() {
		return List.copyOf(this.unavailable);
	}

	synchronized List<String> failures() {
		return List.copyOf(this.failures);
	}

}
