/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One run of the model checker: what the model's constants are, and what is checked.
 *
 * @param name what it shows, as a sentence
 * @param constants the values that differ from {@link #DEFAULTS}, as TLA+ writes them
 * @param checked the names of the invariants, or of one temporal property
 * @param symmetric whether all clients are alike, so that states which differ only in
 * their names count once
 * @param fair whether everything that can go on does so in the end
 */
record Configuration(String name, Map<String, String> constants, List<String> checked, boolean symmetric,
		boolean fair) {

	private static final Map<String, String> DEFAULTS = Map.ofEntries(Map.entry("Clients", "{a, b}"),
			Map.entry("Lease", "2"), Map.entry("LongLease", "2"), Map.entry("Patient", "{}"), Map.entry("Margin", "0"),
			Map.entry("Fast", "{}"), Map.entry("NewLeases", "{}"), Map.entry("MaxVersions", "4"),
			Map.entry("Heartbeats", "FALSE"), Map.entry("Releases", "FALSE"), Map.entry("GuardedWrites", "FALSE"),
			Map.entry("Unanswered", "{}"), Map.entry("Repeats", "{}"), Map.entry("StaleReads", "FALSE"),
			Map.entry("Looks", "FALSE"), Map.entry("Awaits", "FALSE"), Map.entry("Marks", "FALSE"),
			Map.entry("Memories", "{}"), Map.entry("Crashes", "FALSE"), Map.entry("Deletions", "{FALSE}"),
			Map.entry("Purges", "FALSE"), Map.entry("Handovers", "FALSE"), Map.entry("RightClock", "TRUE"),
			Map.entry("Tokens", "1"), Map.entry("Ticks", "{}"), Map.entry("Broken", "{}"), Map.entry("Calm", "FALSE"),
			Map.entry("Watched", "{}"));

	static Configuration of(String name) {
		return new Configuration(name, Map.of(), List.of(), true, false);
	}

	Configuration with(String constant, String value) {
		if (!DEFAULTS.containsKey(constant)) {
			throw new IllegalArgumentException(
					"The model has no constant '" + constant + "'; it has " + new TreeMap<>(DEFAULTS).keySet());
		}
		Map<String, String> values = new TreeMap<>(this.constants);
		values.put(constant, value);
		return new Configuration(this.name, values, this.checked, this.symmetric, this.fair);
	}

	Configuration named(String name) {
		return new Configuration(name, this.constants, this.checked, this.symmetric, this.fair);
	}

	/** How many writes are sent at most. */
	Configuration versions(int most) {
		return with("MaxVersions", Integer.toString(most));
	}

	Configuration withHeartbeats() {
		return with("Heartbeats", "TRUE");
	}

	Configuration withReleases() {
		return with("Releases", "TRUE");
	}

	Configuration withMarks() {
		return with("Marks", "TRUE");
	}

	Configuration withGuardedWrites() {
		return with("GuardedWrites", "TRUE");
	}

	/** The phases of a client in which calls may stay without an answer. */
	Configuration unanswered(String... phases) {
		return with("Unanswered", set(List.of(phases)));
	}

	/** The calls that may be applied twice. */
	Configuration repeated(String... kinds) {
		return with("Repeats", set(List.of(kinds)));
	}

	/** The leases of all clients, which are alike. */
	Configuration lease(int ticks) {
		return with("Lease", Integer.toString(ticks)).with("LongLease", Integer.toString(ticks));
	}

	/** Clients that are not alike. */
	Configuration asymmetric() {
		return new Configuration(this.name, this.constants, this.checked, false, this.fair);
	}

	Configuration without(String... rules) {
		return with("Broken", set(List.of(rules)));
	}

	Configuration watching(String event) {
		return with("Watched", set(List.of(event))).checking("NothingWatchedHappens");
	}

	Configuration checking(String... names) {
		return new Configuration(this.name, this.constants, List.of(names), this.symmetric, this.fair);
	}

	/** A configuration of a temporal property, which symmetry is not sound for. */
	Configuration inTheEnd(String property) {
		return new Configuration(this.name, this.constants, List.of(property), false, true);
	}

	/** The name of its directory. */
	String slug() {
		return this.name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
	}

	/** What TLC reads. */
	String text() {
		Map<String, String> values = new TreeMap<>(DEFAULTS);
		values.putAll(this.constants);
		StringBuilder text = new StringBuilder();
		text.append("\\* ").append(this.name).append('\n');
		text.append("SPECIFICATION ").append(this.fair ? "FairSpec" : "Spec").append('\n');
		text.append("CHECK_DEADLOCK FALSE\n");
		if (this.symmetric) {
			text.append("SYMMETRY Symmetry\n");
		}
		text.append(this.fair ? "PROPERTY " : "INVARIANTS ").append(String.join(" ", this.checked)).append('\n');
		text.append("CONSTANTS\n");
		for (String client : values.get("Clients").replaceAll("[{} ]", "").split(",", -1)) {
			text.append("  ").append(client).append(" = ").append(client).append('\n');
		}
		values
			.forEach((constant, value) -> text.append("  ").append(constant).append(" = ").append(value).append('\n'));
		return text.toString();
	}

	@Override
	public String toString() {
		return this.name;
	}

	private static String set(List<String> texts) {
		return texts.stream().map((text) -> '"' + text + '"').collect(Collectors.joining(", ", "{", "}"));
	}

}
