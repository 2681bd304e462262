/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What became of a lock that the killed node was under.
 *
 * @param kill the kill
 * @param orphan the section that it cut short
 * @param successor the next section under this lock, or {@code null} if there was none
 */
record Takeover(Kill kill, Section orphan, @Nullable Section successor) {

	/**
	 * All takeovers that a kill asks for.
	 * @param sections all sections of all nodes
	 */
	static List<Takeover> after(Kill kill, List<Section> sections) {
		return sections.stream()
			.filter((section) -> section.cutShort() && section.node().equals(kill.node()))
			.map((orphan) -> new Takeover(kill, orphan, successor(orphan, sections)))
			.toList();
	}

	private static @Nullable Section successor(Section orphan, List<Section> sections) {
		return sections.stream()
			.filter((section) -> section.key().equals(orphan.key()) && section.begin().isAfter(orphan.begin()))
			.min(Comparator.comparing(Section::begin))
			.orElse(null);
	}

	String key() {
		return this.orphan.key();
	}

	/**
	 * The time from the kill to the successor's first statement; empty if there is no
	 * successor.
	 */
	Optional<Duration> time() {
		return Optional.ofNullable(this.successor).map((next) -> Duration.between(this.kill.time(), next.begin()));
	}

}
