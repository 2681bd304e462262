/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What became known of one lock, in the order of time, for people to read.
 */
public final class LockStory {

	private static final double SECOND = 1e9;

	private final long origin;

	private final List<Line> lines = new ArrayList<>();

	private LockStory(long origin) {
		this.origin = origin;
	}

	/**
	 * Tells the story.
	 * @param history what happened
	 * @param lock the lock
	 * @param origin the time from which times are told
	 * @return lines
	 */
	public static List<String> of(History history, int lock, long origin) {
		LockStory story = new LockStory(origin);
		history.holds()
			.stream()
			.filter((hold) -> hold.grant().lock() == lock)
			.forEach((hold) -> story.add(history, hold));
		history.deletions(lock)
			.forEach((when) -> story.add(when.from(), "the item was deleted, until " + story.time(when.to())));
		return story.lines.stream().sorted(Comparator.comparingLong(Line::at)).map(story::text).toList();
	}

	private void add(History history, Hold hold) {
		Grant grant = hold.grant();
		String who = grant.id() + (history.isWild(grant.owner()) ? " (with a wrong clock)" : "");
		add(grant.granted(), String.format(Locale.ROOT, "%s was granted token %s, requested at %s; lease %.3f s", who,
				grant.token(), time(grant.began()), grant.lease() / SECOND));
		if (hold.isSeen()) {
			add(hold.lastFrom(), who + " still held it, since at least " + time(hold.firstTo()));
		}
		Hold.Ending ending = hold.ending();
		if (ending != null) {
			add(ending.ended(), who + " had released it, " + ending.outcome() + ", from " + time(ending.began()));
		}
		history.losses(grant.id())
			.forEach((loss) -> add(loss.told(),
					who + " was notified of the loss, " + loss.reason() + "; deadline " + time(loss.deadline())));
		Long died = history.deaths().get(grant.owner());
		if (died != null && ending == null) {
			add(died, who + " was killed");
		}
	}

	private void add(long at, String text) {
		this.lines.add(new Line(at, text));
	}

	private String text(Line line) {
		return time(line.at()) + "  " + line.text();
	}

	private String time(long at) {
		return String.format(Locale.ROOT, "%.3f s", (at - this.origin) / SECOND);
	}

	private record Line(long at, String text) {
	}

}
