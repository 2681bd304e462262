/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Every mutant is caught, and the client itself is not. Not one of the usual tests, since
 * it takes minutes: {@code ./mvnw -Pmutants} runs it in this module, and in that of
 * scheduled jobs with their simulation. These properties narrow it down:
 * {@code mutants.only}, names with commas between them; {@code mutants.every}, to examine
 * each of so many, from the first one on; and {@code mutants.seeds}, how many seeds are
 * run at most, or {@code mutants.job-seeds} for jobs.
 */
@Execution(ExecutionMode.CONCURRENT)
class MutantCampaign {

	private static final Path DIRECTORY = Path.of("target", "mutants");

	/** A seed of jobs takes a hundred times as long. */
	private static final long SEEDS = (System.getProperty("mutants.simulation") != null)
			? Long.getLong("mutants.job-seeds", 120) : Long.getLong("mutants.seeds", 20_000);

	private static final int EVERY = Integer.getInteger("mutants.every", 1);

	private static final Map<String, Verdict> VERDICTS = new ConcurrentHashMap<>();

	static Stream<Mutant> mutants() throws IOException {
		List<String> only = Arrays.asList(System.getProperty("mutants.only", "").split(","));
		if (only.contains("")) {
			assertThat(EVERY).as("mutants.every, one of how many mutants is examined").isPositive();
			List<Mutant> all = Mutant.all(Mutant.HERE);
			return IntStream.iterate(0, (number) -> number < all.size(), (number) -> number + EVERY).mapToObj(all::get);
		}
		assertThat(Stream.concat(Mutant.all(Mutant.CORE).stream(), Mutant.all(Mutant.STARTER).stream()))
			.as("mutants, of which mutants.only asks for some")
			.extracting(Mutant::name)
			.containsAll(only);
		return Mutant.all(Mutant.HERE).stream().filter((mutant) -> only.contains(mutant.name()));
	}

	@Test
	void theClientItselfIsNotCaught() throws Exception {
		assumeThat(mutants()).as("mutants of this module").isNotEmpty();
		List<String> tests = mutants().flatMap((mutant) -> mutant.tests().stream()).distinct().sorted().toList();
		Verdict verdict = new Examination(DIRECTORY.resolve("none"), null).examine(SEEDS, tests);
		assertThat(verdict).isEqualTo(new Verdict(SEEDS, null, List.of()));
	}

	@ParameterizedTest(name = "{0}", allowZeroInvocations = true)
	@MethodSource("mutants")
	void isCaught(Mutant mutant) throws Exception {
		Path directory = DIRECTORY.resolve(mutant.name());
		Path classes = MutantCompiler.compile(mutant, directory);
		Verdict verdict = new Examination(directory, classes).examine((mutant.unseen() == null) ? SEEDS : 0,
				mutant.tests());
		VERDICTS.put(mutant.name(), verdict);
		if (mutant.unseen() == null) {
			assertThat(verdict.violation())
				.as("what the simulation finds in %s seeds of a client in which this rule is "
						+ "broken: %s. Instead, %s", verdict.seeds(), mutant.rule(), mutant.broken())
				.isNotNull();
		}
		assertThat(verdict.isCaught()).as("whether %s is caught", mutant).isTrue();
	}

	@AfterAll
	static void report() throws IOException {
		String report = new MutantReport(mutants().toList(), new TreeMap<>(VERDICTS)).text();
		Files.writeString(Files.createDirectories(DIRECTORY).resolve("report.md"), report);
		System.out.println(report);
	}

}
