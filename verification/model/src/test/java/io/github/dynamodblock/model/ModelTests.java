/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ModelTests {

	private static final String CONFIGURATIONS = "io.github.dynamodblock.model.Configurations#";

	@Test
	void theSmallestModelKeepsEveryPromise() {
		assertKeepsEveryPromise(Configurations.small());
	}

	@Test
	void aModelThatDoesNotParseBreaksNoPromise(@TempDir Path directory) throws IOException {
		Path model = Files.writeString(directory.resolve("Lock.tla"), "---- MODULE Lock ----\nInit == \n====\n");
		Verdict verdict = ModelChecker.check(model, "does-not-parse", Configurations.small().text());
		assertThat(verdict.isWithoutError()).as(verdict.text()).isFalse();
		assertThat(verdict.violated()).as(verdict.text()).isEmpty();
		assertThat(verdict.isPropertyViolated()).as(verdict.text()).isFalse();
	}

	@Tag("exhaustive")
	@ParameterizedTest(name = "{0}")
	@MethodSource(CONFIGURATIONS + "safe")
	void theProtocolKeepsEveryPromise(Configuration configuration) {
		assertKeepsEveryPromise(configuration);
	}

	@Tag("exhaustive")
	@ParameterizedTest(name = "{0}")
	@MethodSource({ CONFIGURATIONS + "broken", CONFIGURATIONS + "limits" })
	void aBrokenRuleBreaksAPromise(Configuration configuration) {
		assertViolates(configuration);
	}

	@Tag("exhaustive")
	@ParameterizedTest(name = "{0}")
	@MethodSource(CONFIGURATIONS + "reachable")
	void whatMattersHappens(Configuration configuration) {
		assertViolates(configuration);
	}

	@Tag("exhaustive")
	@Test
	void everyWaiterIsServedOnceFaultsHaveStopped() {
		assertKeepsEveryPromise(Configurations.live());
	}

	@Tag("exhaustive")
	@Test
	void withoutTakeoverACrashedProcessStopsAllOthers() {
		Verdict verdict = ModelChecker.check(Configurations.stuck());
		assertThat(verdict.isPropertyViolated()).as(verdict.text()).isTrue();
	}

	private static void assertKeepsEveryPromise(Configuration configuration) {
		Verdict verdict = ModelChecker.check(configuration);
		assertThat(verdict.isWithoutError()).as(verdict.text()).isTrue();
		System.out.println(configuration + ": " + verdict.distinctStates() + " states, depth " + verdict.depth());
	}

	private static void assertViolates(Configuration configuration) {
		Verdict verdict = ModelChecker.check(configuration);
		assertThat(verdict.violated()).as(verdict.text()).isEqualTo(configuration.checked().get(0));
	}

}
