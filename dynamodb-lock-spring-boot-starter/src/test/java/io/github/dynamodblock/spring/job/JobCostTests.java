/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.boot.autoconfigure.ReferencePage;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Counts the capacity units of jobs that {@code docs/capacity.md} names, on three nodes
 * in virtual time.
 */
class JobCostTests {

	private static final int MINUTES_OF_30_DAYS = 30 * 24 * 60;

	private static final int MINUTES = 60;

	/** By how much clocks and schedulers of the nodes differ. */
	private static final Duration LATER = Duration.ofMillis(20);

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA));

	private final List<HandDrivenNode> all = List.of(this.nodes.up(), this.nodes.up(), this.nodes.up());

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a job each minute on three nodes, with runs of 1 s | 1
			the same with runs of 50 s | 50
			""")
	void aJobOfEachMinuteCostsWhatThePageSays(String setup, int seconds) {
		this.all.forEach((node) -> node.annotate(LockRequest.of(HandDrivenNode.KEY)
			.leaseDuration(Duration.ofSeconds(20))
			.heartbeatPeriod(Duration.ofSeconds(5))));
		runs(1, MINUTES, seconds);
		double writes = writes();
		double reads = reads();
		runs(1 + MINUTES, MINUTES, seconds);
		double scale = (double) MINUTES_OF_30_DAYS / MINUTES;
		MatchResult row = row(setup);
		assertThat((writes() - writes) * scale).isCloseTo(units(row.group(1)), withinPercentage(1));
		assertThat((reads() - reads) * scale).isCloseTo(units(row.group(2)), withinPercentage(1));
	}

	private void runs(int first, int number, int seconds) {
		for (int minute = first; minute < first + number; minute++) {
			this.nodes.passTo(minute);
			for (int i = 0; i < this.all.size(); i++) {
				this.all.get((minute + i) % this.all.size()).tick();
				this.nodes.pass(LATER);
			}
			this.nodes.pass(Duration.ofSeconds(seconds));
			List<HandDrivenNode> running = this.all.stream().filter(HandDrivenNode::isRunning).toList();
			assertThat(running).as("nodes that run the tick").hasSize(1);
			running.get(0).end(null);
		}
		this.nodes.passTo(first + number);
	}

	private double writes() {
		return this.all.stream().mapToDouble((node) -> node.process().writes()).sum();
	}

	private double reads() {
		return this.all.stream().mapToDouble((node) -> node.process().readUnits()).sum();
	}

	private static MatchResult row(String setup) {
		return Pattern.compile("\\| " + Pattern.quote(setup) + " \\| ([\\d,]+) \\| ([\\d,]+) \\| [\\d.]+ \\|")
			.matcher(ReferencePage.of("capacity.md").text())
			.results()
			.findFirst()
			.orElseThrow();
	}

	private static double units(String digits) {
		return Double.parseDouble(digits.replace(",", ""));
	}

}
