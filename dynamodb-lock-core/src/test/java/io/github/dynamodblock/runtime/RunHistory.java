/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened in a simulated run, for people to read. Most runs are of no interest, so
 * that nothing is written down unless it is asked for.
 */
final class RunHistory {

	private final VirtualTime time;

	private final boolean recording;

	private final List<String> lines = new ArrayList<>();

	RunHistory(VirtualTime time, boolean recording) {
		this.time = time;
		this.recording = recording;
	}

	void add(Object who, String what, Object... details) {
		if (this.recording) {
			StringBuilder line = new StringBuilder(
					String.format("%12.3f ms  %-6s %s", this.time.nanos() / 1e6, who, what));
			for (Object detail : details) {
				line.append(' ').append(detail);
			}
			this.lines.add(line.toString());
		}
	}

	List<String> lines() {
		return this.lines;
	}

}
