/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of a run, in Markdown. It contains no account numbers. */
final class Report {

	private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

	/** Adds the outcome of a check. */
	void add(Check check, Outcome outcome) {
		this.outcomes.put(check.title(), outcome);
	}

	/** Returns what must not be: failed checks. */
	List<String> violations() {
		return this.outcomes.entrySet()
			.stream()
			.filter((check) -> check.getValue().status() == Outcome.Status.FAILED)
			.map((check) -> check.getKey() + ": " + check.getValue().summary())
			.toList();
	}

	/** Returns how many checks have a status. */
	long count(Outcome.Status status) {
		return this.outcomes.values().stream().filter((outcome) -> outcome.status() == status).count();
	}

	/**
	 * Returns the report.
	 * @param dynamoDb what was checked
	 * @param meter the calls
	 * @param tables how many tables were created
	 * @param left the tables that may still exist, with the reason
	 */
	String text(String dynamoDb, Versions versions, Meter meter, int tables, Map<String, String> left) {
		List<String> lines = new ArrayList<>();
		lines.add("# Locks on " + dynamoDb);
		lines.addAll(List.of("", "| | |", "| --- | --- |", "| date | " + LocalDate.now(ZoneOffset.UTC) + " |",
				"| dynamodb-lock | " + versions.project() + " |", "| DynamoDB | " + dynamoDb + " |",
				"| AWS SDK for Java | " + versions.sdk() + " |", "| JDK | " + versions.jdk() + " |"));
		lines.addAll(List.of("", "| check | outcome | what was found |", "| --- | --- | --- |"));
		this.outcomes.forEach((title, outcome) -> lines
			.add("| " + title + " | " + outcome.status() + " | " + outcome.summary().replace("|", "\\|") + " |"));
		this.outcomes.forEach((title, outcome) -> {
			if (!outcome.details().isEmpty()) {
				lines.addAll(List.of("", "## " + title));
				lines.addAll(outcome.details().get(0).isEmpty() ? List.of() : List.of(""));
				lines.addAll(outcome.details());
			}
		});
		lines.addAll(cost(meter, tables, left));
		return hideAccounts(String.join("\n", lines) + "\n");
	}

	private static List<String> cost(Meter meter, int tables, Map<String, String> left) {
		Cost cost = meter.cost();
		String calls = meter.calls()
			.entrySet()
			.stream()
			.map((operation) -> operation.getValue() + " " + operation.getKey())
			.collect(Collectors.joining(", "));
		List<String> lines = new ArrayList<>(List.of("", "## Calls and cost", "", "- Calls: " + calls + ".",
				String.format(Locale.ROOT,
						"- Capacity: %.1f write units and %.1f read units, as DynamoDB reported them. "
								+ "A refused write is counted as one unit, or as two for each item of a transaction.",
						cost.writeUnits(), cost.readUnits()),
				"- Cost in AWS: " + Cost.text(cost.usd()) + " at " + Cost.PRICE + ".",
				"- Tables: " + tables + " were created, and "
						+ (left.isEmpty() ? "all of them were deleted." : left.size() + " may still exist:")));
		left.forEach((name, reason) -> lines.add("  - `" + name + "`: " + reason));
		return lines;
	}

	/** Removes the numbers of AWS accounts, so that a report can be published. */
	static String hideAccounts(String text) {
		return text.replaceAll("\\b\\d{12}\\b", "ACCOUNT");
	}

}
