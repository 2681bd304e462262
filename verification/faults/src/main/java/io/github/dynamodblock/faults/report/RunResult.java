/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.faults.checker.AllowedAnomaly;
import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.checker.Timings;
import io.github.dynamodblock.faults.nemesis.Fault;
import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.network.CallMeter;

/**
 * What came out of a run.
 *
 * @param history what happened
 * @param findings what must not have happened
 * @param timings how long things took
 * @param faults what went wrong, with its times
 * @param faultCounts how often each kind went wrong
 * @param meter what was sent
 * @param time when new faults began, from the first to the last
 * @param settlingNanos how long it took afterwards until all had made progress
 * @param loads the load averages before and after
 * @param commit which version of the sources ran
 */
public record RunResult(History history, List<Finding> findings, Timings timings, List<Fault> faults,
		Map<FaultKind, Integer> faultCounts, CallMeter meter, Interval time, long settlingNanos, List<Double> loads,
		String commit) {

	public int acquisitions() {
		return this.history.holds().size();
	}

	public int faultCount() {
		return this.faultCounts.values().stream().mapToInt(Integer::intValue).sum();
	}

	/**
	 * The findings of a rule, allowed or not, without those that only say that tokens do
	 * not show the order, since the item was deleted.
	 */
	long count(Rule rule) {
		return this.findings.stream()
			.filter((finding) -> finding.rule() == rule && finding.anomaly() != AllowedAnomaly.ITEM_DELETED)
			.count();
	}

	/** The findings without an allowed anomaly. */
	public List<Finding> violations() {
		return this.findings.stream().filter(Finding::isViolation).toList();
	}

	/** The violations of each rule that was broken. */
	public Map<Rule, Integer> violationsByRule() {
		Map<Rule, Integer> counts = new EnumMap<>(Rule.class);
		violations().forEach((finding) -> counts.merge(finding.rule(), 1, Integer::sum));
		return counts;
	}

}
