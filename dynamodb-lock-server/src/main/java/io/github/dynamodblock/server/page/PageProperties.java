/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Duration;

import io.github.dynamodblock.LogText;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the live list.
 *
 * @param refresh the time between two polls of the table while there is a watcher: from
 * 100 milliseconds to 1 minute
 * @param mostLocks the maximum number of locks that are shown: from 1 to 10,000
 * @param mostWatchers the maximum number of watchers at a time: from 1 to 10,000
 * @param mostWatchersPerOwner the maximum number of watchers of one owner: from 1 to
 * 10,000
 */
@ConfigurationProperties("lock-server.page")
public record PageProperties(@DefaultValue("1s") Duration refresh, @DefaultValue("500") int mostLocks,
		@DefaultValue("1000") int mostWatchers, @DefaultValue("50") int mostWatchersPerOwner) {

	private static final Duration SHORTEST_REFRESH = Duration.ofMillis(100);

	private static final Duration LONGEST_REFRESH = Duration.ofMinutes(1);

	private static final int MOST = 10_000;

	public PageProperties {
		if (refresh.compareTo(SHORTEST_REFRESH) < 0 || refresh.compareTo(LONGEST_REFRESH) > 0) {
			throw new IllegalArgumentException("lock-server.page.refresh is " + LogText.of(refresh)
					+ "; it must be from 100 milliseconds to 1 minute, such as 1s");
		}
		check("most-locks", mostLocks);
		check("most-watchers", mostWatchers);
		check("most-watchers-per-owner", mostWatchersPerOwner);
	}

	private static void check(String name, int value) {
		if (value < 1 || value > MOST) {
			throw new IllegalArgumentException(
					"lock-server.page." + name + " is " + value + "; it must be from 1 to " + MOST);
		}
	}

}
