/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import io.github.dynamodblock.faults.RunSettings;
import io.github.dynamodblock.faults.checker.AllowedAnomaly;
import io.github.dynamodblock.faults.checker.CommittedUpdate;
import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.GuardedWrite;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.checker.Timings;
import io.github.dynamodblock.faults.nemesis.Fault;
import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.network.CallMeter;
import io.github.dynamodblock.faults.worker.LockKind;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private static final long SECOND = 1_000_000_000L;

	private final RunSettings settings = new RunSettings(Duration.ofMinutes(1), 42, LockKind.OURS,
			EnumSet.allOf(FaultKind.class), Duration.ofSeconds(1), Path.of("target"), null);

	@Test
	void lineSaysWhatCameOut() {
		assertThat(Report.line(this.settings, result()))
			.isEqualTo("faults: 60 s, seed 42, 1 acquisitions, 3 faults, 1 violations");
	}

	@Test
	void lineOfTheGuardedCounterSaysWhatBecameOfItsUpdates() {
		RunResult result = result();
		result.history().guardedWrite(new GuardedWrite("a.a", "a", 3, GuardedWrite.Outcome.ACKNOWLEDGED, true));
		result.history().committed(3, List.of(new CommittedUpdate("a.a", "a", 0)));
		assertThat(Report.guardedLine(result))
			.isEqualTo("faults: guarded counter, 1 updates acknowledged, 0 refused, 0 unknown; 1 committed, "
					+ "0 stale, 0 lost, 0 doubled, 0 refused but committed");
		assertThat(Report.of(this.settings, result)).contains("`" + Report.guardedLine(result) + "`",
				"| stale commits to the guarded counter | 0 |  |");
	}

	@Test
	void lineOfTheGuardedCounterCountsNoCommitsWhoseOrderIsUnknown() {
		assertThat(result(new Finding(Rule.STALE_COMMIT, AllowedAnomaly.ITEM_DELETED, 3, "a after b"),
				new Finding(Rule.STALE_COMMIT, AllowedAnomaly.UNGUARDED, 3, "c after d"))
			.count(Rule.STALE_COMMIT)).isOne();
	}

	@Test
	void violationsAndAllowedAnomaliesStandSideBySide() {
		assertThat(Report.of(this.settings, result())).contains(
				"| two holders of one lock at the same time | 1 | 1: the lock's item was deleted |",
				"| tokens given twice | 0 |  |", "| process killed and started again | 1 |",
				"two holders of one lock at the same time: a and b");
	}

	@Test
	void faultsAreToldInTheOrderOfTheirBeginnings() {
		assertThat(Report.faultLog(result())).containsExactly(
				"    2.000 s to     3.000 s  node 1    process killed and started again 900 ms",
				"    5.000 s to     5.000 s  all       item of a lock deleted lock 3");
	}

	@Test
	void timelineIsAPicture() throws Exception {
		String svg = String.join("\n", Timeline.of(result()));
		assertThat(DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(svg)))
			.getElementsByTagName("title")
			.getLength()).as("that of the picture and those of the faults").isEqualTo(1 + 2);
	}

	private static RunResult result() {
		return result(new Finding(Rule.TWO_HOLDERS, null, 3, "a and b"),
				new Finding(Rule.TWO_HOLDERS, AllowedAnomaly.ITEM_DELETED, 3, "c and d"));
	}

	private static RunResult result(Finding... findings) {
		History history = new History();
		history.granted(new Grant("a", new Owner(1, 1), 3, 5L, SECOND, 2 * SECOND, SECOND, false));
		List<Fault> faults = List.of(new Fault(FaultKind.DELETED_ITEM, null, 5 * SECOND, 5 * SECOND, "lock 3"),
				new Fault(FaultKind.KILL, 1, 2 * SECOND, 3 * SECOND, "900 ms"));
		return new RunResult(history, List.of(findings), Timings.of(history), faults,
				Map.of(FaultKind.KILL, 1, FaultKind.CLOCK_RATE, 2), new CallMeter(), new Interval(0, 10 * SECOND),
				SECOND, List.of(0.5, 1.5), "abc");
	}

}
