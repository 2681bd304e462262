/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares the README with the committed report and with the code. */
class ReadmeTests {

	private static final Pattern ACTION = Pattern.compile("\"dynamodb:(\\w+)\"");

	private static final Pattern CALLS = Pattern.compile("- Calls: (.+)\\.");

	/**
	 * What clients without a meter call, and what else DynamoDB asks a permission for.
	 */
	private static final Set<String> FURTHER = Set.of("ListTables", "DeleteTable", "TagResource", "ConditionCheckItem");

	@Test
	void permissionsAreThoseOfTheCallsOfARun() throws IOException {
		Matcher calls = CALLS.matcher(Files.readString(Path.of("results/dynamodb-local.md")));
		assertThat(calls.find()).isTrue();
		Set<String> needed = new TreeSet<>(FURTHER);
		for (String call : calls.group(1).split(", ", -1)) {
			needed.add(call.substring(call.indexOf(' ') + 1));
		}
		// IAM has an action for each item of a transaction, and none for all.
		needed.remove("TransactWriteItems");

		assertThat(ACTION.matcher(readme()).results().map((action) -> action.group(1)).collect(Collectors.toSet()))
			.containsExactlyInAnyOrderElementsOf(needed);
	}

	@Test
	void limitAndItsCostAreThoseOfTheCode() throws IOException {
		assertThat(readme()).contains("at most " + Cost.text(Meter.LIMIT.usdAtMost()),
				"%,d write units and %,d read units".formatted((long) Meter.LIMIT.writeUnits(),
						(long) Meter.LIMIT.readUnits()),
				"begin with `" + RunTables.PREFIX + "`", "table/" + RunTables.PREFIX + "*");
		assertThat(Files.readString(Path.of("../../docs/safety.md")))
			.contains("at most " + Cost.text(Meter.LIMIT.usdAtMost()));
	}

	private static String readme() throws IOException {
		return Files.readString(Path.of("README.md")).replaceAll("\\s+", " ");
	}

}
