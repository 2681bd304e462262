/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came of each mutant, as a table in Markdown.
 *
 * @param mutants the mutants
 * @param verdicts what came of those that could be examined, by their names
 */
record MutantReport(List<Mutant> mutants, Map<String, Verdict> verdicts) {

	private static final String HEAD = """
			| mutant | the rule that it breaks | what the simulation says | first seed | tests that fail |
			| --- | --- | --- | --: | --- |
			""";

	String text() {
		return this.mutants.stream().map(this::line).collect(Collectors.joining("\n", HEAD, "\n\n")) + summary() + "\n";
	}

	private String line(Mutant mutant) {
		Verdict verdict = this.verdicts.get(mutant.name());
		String[] found = (verdict == null) ? new String[] { "**not examined**", "", "" }
				: new String[] { simulated(mutant, verdict), seed(verdict), tests(mutant, verdict) };
		return "| `%s` | %s: %s | %s | %s | %s |".formatted(mutant.name(), mutant.rule(), mutant.broken(), found[0],
				found[1], found[2]);
	}

	private static String simulated(Mutant mutant, Verdict verdict) {
		if (mutant.unseen() != null) {
			return "not asked: " + mutant.unseen();
		}
		return (verdict.violation() == null) ? "**nothing in " + verdict.seeds() + " seeds**" : verdict.check();
	}

	private static String seed(Verdict verdict) {
		return (verdict.violation() == null) ? "" : Long.toString(verdict.seeds());
	}

	private static String tests(Mutant mutant, Verdict verdict) {
		if (mutant.tests().isEmpty()) {
			return "none asked";
		}
		List<String> failed = verdict.failedTests();
		return failed.isEmpty() ? "none of `" + String.join("`, `", mutant.tests()) + "`"
				: "`" + failed.get(0) + "`" + ((failed.size() == 1) ? "" : " and " + (failed.size() - 1) + " more");
	}

	private String summary() {
		long caught = this.verdicts.values().stream().filter(Verdict::isCaught).count();
		long simulated = this.verdicts.values().stream().filter((verdict) -> verdict.violation() != null).count();
		return this.mutants.size() + " mutants, " + caught + " caught: " + simulated + " by the simulation, "
				+ (caught - simulated) + " by tests alone";
	}

}
