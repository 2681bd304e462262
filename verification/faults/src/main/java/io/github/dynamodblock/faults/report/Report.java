/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.github.dynamodblock.faults.RunSettings;
import io.github.dynamodblock.faults.checker.AnomalousHolds;
import io.github.dynamodblock.faults.checker.AllowedAnomaly;
import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Checker;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.checker.Timings;
import io.github.dynamodblock.faults.nemesis.Fault;
import io.github.dynamodblock.faults.network.CallMeter;
import io.github.dynamodblock.faults.worker.LockKind;

/**
 * A run's report in Markdown.
 */
public final class Report {

	private static final double SECOND = 1e9;

	private final RunSettings settings;

	private final RunResult result;

	private final List<String> lines = new ArrayList<>();

	private Report(RunSettings settings, RunResult result) {
		this.settings = settings;
		this.result = result;
	}

	/**
	 * Writes the report.
	 * @param settings what the run was like
	 * @param result what came out
	 * @return lines of Markdown
	 */
	public static List<String> of(RunSettings settings, RunResult result) {
		Report report = new Report(settings, result);
		report.head();
		report.work();
		report.checks();
		report.times();
		report.faults();
		report.calls();
		return report.lines;
	}

	/**
	 * The run in one line.
	 * @param settings what the run was like
	 * @param result what came out
	 * @return the line
	 */
	public static String line(RunSettings settings, RunResult result) {
		return String.format(Locale.ROOT, "faults: %d s, seed %d, %d acquisitions, %d faults, %d violations",
				settings.duration().toSeconds(), settings.seed(), result.acquisitions(), result.faultCount(),
				result.violations().size());
	}

	/**
	 * What became of the guarded counter in one line.
	 * @param result what came out
	 * @return the line
	 */
	public static String guardedLine(RunResult result) {
		History history = result.history();
		return String.format(Locale.ROOT,
				"faults: guarded counter, %d updates acknowledged, %d refused, %d unknown; %d committed, "
						+ "%d stale, %d lost, %d doubled, %d refused but committed",
				history.guardedWrites(Outcome.ACKNOWLEDGED), history.guardedWrites(Outcome.REFUSED),
				history.guardedWrites(Outcome.UNKNOWN), history.committedCount(), result.count(Rule.STALE_COMMIT),
				result.count(Rule.GUARDED_UPDATE_LOST), result.count(Rule.GUARDED_UPDATE_DOUBLED),
				result.count(Rule.REFUSED_UPDATE_COMMITTED));
	}

	/**
	 * All faults in the order of their beginnings.
	 * @param result what came out
	 * @return lines
	 */
	public static List<String> faultLog(RunResult result) {
		return result.faults()
			.stream()
			.sorted(Comparator.comparingLong(Fault::from))
			.map((fault) -> String
				.format(Locale.ROOT, "%9.3f s to %9.3f s  %-9s %s %s", (fault.from() - result.time().from()) / SECOND,
						(fault.to() - result.time().from()) / SECOND,
						(fault.node() != null) ? "node " + fault.node() : "all", fault.kind().title(), fault.detail())
				.stripTrailing())
			.toList();
	}

	private void add(String... more) {
		this.lines.addAll(List.of(more));
	}

	private void head() {
		String client = (this.settings.kind() == LockKind.AWS)
				? "the AWS lock client for Java (`com.amazonaws:dynamodb-lock-client`)"
				: "the lock client of this project";
		add("# Real processes under faults: " + client.replaceAll(" \\(.*", ""), "", "`" + command() + "`", "",
				"`" + guardedLine(this.result) + "`", "", "`" + line(this.settings, this.result) + "`", "");
		add(RunSettings.NODES + " processes with " + RunSettings.THREADS + " threads each want " + RunSettings.LOCKS
				+ " locks of " + client + "; leases of 2 to 4 s. " + machine() + " Commit " + this.result.commit()
				+ ".", "");
		add("![" + Timeline.DESCRIPTION + "](" + picture(this.settings) + ")", "");
	}

	/** The name of the report's file. */
	public static String file(RunSettings settings) {
		return (settings.kind() == LockKind.AWS) ? "aws-lock-client.md" : "report.md";
	}

	/** The name of the picture's file. */
	public static String picture(RunSettings settings) {
		return (settings.kind() == LockKind.AWS) ? "aws-lock-client.svg" : "timeline.svg";
	}

	private String command() {
		return "./mvnw -Pfaults -Dfaults.duration=" + this.settings.duration() + " -Dfaults.seed="
				+ this.settings.seed() + ((this.settings.kind() == LockKind.AWS) ? " -Dfaults.client=aws" : "");
	}

	private String machine() {
		return String.format(Locale.ROOT, "%d processors, load average %.1f before and %.1f after, Java %s, %s %s.",
				Runtime.getRuntime().availableProcessors(), this.result.loads().get(0), this.result.loads().get(1),
				System.getProperty("java.version"), System.getProperty("os.name"), System.getProperty("os.version"));
	}

	private void work() {
		Map<String, Long> counts = this.result.history().counts();
		add("## The work", "", "| what | times |", "| --- | --- |",
				"| locks acquired | " + this.result.acquisitions() + " |");
		counts.forEach((what, times) -> add("| " + what + " | " + times + " |"));
		add("| updates without fencing | " + this.result.history().plainUpdateCount() + " |", "");
		if (this.settings.kind() != LockKind.AWS) {
			add("The links saw " + this.result.history().unreportedClaims()
					+ " applied claims that no holder reported: their answers were lost or late, or their owners were killed.",
					"");
			Map<String, Integer> reasons = this.result.timings().reasons();
			add("Reported losses, by reason: " + (reasons.isEmpty() ? "none" : text(reasons)) + ".", "");
		}
	}

	private static String text(Map<?, ?> counts) {
		List<String> texts = new ArrayList<>();
		counts.forEach((what, times) -> texts.add(times + " " + what));
		return String.join(", ", texts);
	}

	private void checks() {
		add("## What was checked", "",
				"Violations break a guarantee. Anomalies outside the guarantees are counted beside them, by their causes.",
				"", "| what | violations | allowed anomalies |", "| --- | --- | --- |");
		for (Rule rule : Rule.values()) {
			List<Finding> findings = this.result.findings().stream().filter((each) -> each.rule() == rule).toList();
			long violations = findings.stream().filter(Finding::isViolation).count();
			add("| " + rule.title() + " | " + violations + " | " + anomalies(findings) + " |");
		}
		add("");
		long looked = this.result.findings()
			.stream()
			.filter((each) -> each.rule() == Rule.PLAIN_UPDATE && each.looked())
			.count();
		add("Of the updates lost without fencing, " + looked
				+ " were written right after a check that returned that the lock was held; the others were checked when the lock was granted.",
				"");
		AnomalousHolds holds = AnomalousHolds.of(this.result.history());
		add("Of " + holds.all() + " holds, " + holds.itemDeleted()
				+ " were of an item that was deleted between the request for the lock and the last check. In "
				+ holds.wildClock()
				+ " more, the clock of the owner, or of the owner right before or after it, was beyond the tolerance. An overlap of one of these holds with another one can be allowed. An overlap of two of the other "
				+ holds.strict() + " holds is a violation, unless an owner with such a clock held the lock in between.",
				"");
		if (!this.result.violations().isEmpty()) {
			add("```");
			this.lines.addAll(Checker.texts(this.result.violations()));
			add("```", "");
		}
	}

	private static String anomalies(List<Finding> findings) {
		Map<String, Integer> counts = new TreeMap<>();
		for (Finding finding : findings) {
			AllowedAnomaly anomaly = finding.anomaly();
			if (anomaly != null) {
				counts.merge(anomaly.title(), 1, Integer::sum);
			}
		}
		List<String> texts = new ArrayList<>();
		counts.forEach((anomaly, times) -> texts.add(times + ": " + anomaly));
		return String.join("; ", texts);
	}

	private void times() {
		Timings timings = this.result.timings();
		add("## Times", "", "| from, to | times | p50 | p99 | most |", "| --- | --- | --- | --- | --- |",
				new Quantiles(timings.takeovers()).row("takeover: the kill of a holder, the next grant", "s"),
				new Quantiles(timings.takeoversInLeases()).row("the same in leases of that holder", "leases"),
				new Quantiles(timings.waits())
					.row("takeover: the next owner's request (or the kill, if that is later), the grant", "s"),
				new Quantiles(timings.expirations()).row(
						"loss: the end of the lease (or SIGCONT, if the process was stopped then), the report to the holder",
						"s"),
				new Quantiles(timings.deletions())
					.row("loss: the deletion of the item or the table, the report to the holder", "s"),
				"");
		add(String.format(Locale.ROOT,
				"Within %.1f s after the end of the faults, every lock was acquired, and every node acquired a lock.",
				this.result.settlingNanos() / SECOND), "");
	}

	private void faults() {
		add("## The faults", "", "| what | times |", "| --- | --- |");
		this.result.faultCounts().forEach((kind, times) -> add("| " + kind.title() + " | " + times + " |"));
		add("");
	}

	private void calls() {
		add("## The calls", "", "All that the nodes sent, including the SDK's retries.", "", "| operation | calls |",
				"| --- | --- |");
		this.result.meter().calls().forEach((operation, times) -> add("| " + operation + " | " + times + " |"));
		long all = this.result.meter()
			.calls()
			.entrySet()
			.stream()
			.filter((calls) -> !calls.getKey().endsWith(CallMeter.GUARDED))
			.mapToLong(Map.Entry::getValue)
			.sum();
		int acquisitions = Math.max(1, this.result.acquisitions());
		add("", String.format(Locale.ROOT,
				"%.1f calls and %.1f capacity units for each lock acquired, including waiting, heartbeats and release, without the guarded counter.",
				(double) all / acquisitions, this.result.meter().units() / acquisitions));
	}

}
