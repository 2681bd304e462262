/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Compares single calls with what was recorded for DynamoDB Local. Differences in AWS are
 * listed, not judged: the other checks show whether they matter.
 */
final class ProbesCheck implements Check {

	private final boolean isRecordedVersion;

	/**
	 * Creates the check.
	 * @param isRecordedVersion whether this is the DynamoDB Local whose results were
	 * recorded, so that nothing may differ
	 */
	ProbesCheck(boolean isRecordedVersion) {
		this.isRecordedVersion = isRecordedVersion;
	}

	@Override
	public String title() {
		return "Differences from DynamoDB Local";
	}

	@Override
	public Outcome run(RunContext context) {
		return compare(Probes.recorded(), Probes.run(context), this.isRecordedVersion);
	}

	/** Compares the results of calls, by their names. */
	static Outcome compare(Map<String, String> recorded, Map<String, String> results, boolean mustBeEqual) {
		List<String> rows = new ArrayList<>();
		TreeSet<String> names = new TreeSet<>(recorded.keySet());
		names.addAll(results.keySet());
		for (String name : names) {
			String local = recorded.getOrDefault(name, "not recorded");
			String here = results.getOrDefault(name, "not called");
			if (!here.equals(local)) {
				rows.add("| " + name + " | " + cell(local) + " | " + cell(here) + " |");
			}
		}
		if (rows.isEmpty()) {
			return Outcome.held(names.size() + " calls give what was recorded for DynamoDB Local");
		}
		String summary = rows.size() + " of " + names.size() + " calls give other results than DynamoDB Local";
		rows.addAll(0, List.of("", "| call | DynamoDB Local | here |", "| --- | --- | --- |"));
		return (mustBeEqual ? Outcome.failed(summary + " had when they were recorded") : Outcome.held(summary))
			.with(rows);
	}

	private static String cell(String text) {
		return text.replace("|", "\\|");
	}

}
