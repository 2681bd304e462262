/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final Report report = new Report();

	@Test
	void everyCheckIsReportedWithItsOutcome() {
		this.report.add(new LatencyCheck(), Outcome.held("fast").with(List.of("", "details")));
		this.report.add(new ThrottlingCheck(), Outcome.notProvoked("no call was throttled"));
		this.report.add(new PolicyCheck(), Outcome.skipped("no role"));
		this.report.add(new TakeoverCheck(), Outcome.failed("too late"));

		assertThat(text(Map.of())).contains("| Acquire and release, uncontended | OK | fast |",
				"| Throttling on a table of one write unit | not provoked here | no call was throttled |",
				"| The documented IAM policy | skipped | no role |", "| Takeover after kill -9 | FAILED | too late |",
				"## Acquire and release, uncontended\n\ndetails\n", "| AWS SDK for Java | 2.", "| dynamodb-lock | 0.");
		assertThat(this.report.violations()).containsExactly("Takeover after kill -9: too late");
		assertThat(this.report.count(Outcome.Status.HELD)).isOne();
	}

	@Test
	void callsCapacityAndCostAreReported() {
		Meter meter = new Meter(Meter.LIMIT);
		IntStream.range(0, 1000).forEach((i) -> meter.add("UpdateItem", 1, 0));
		meter.add("GetItem", 0, 0.5);

		assertThat(this.report.text("AWS", Versions.read(), meter, 3, Map.of())).contains(
				"- Calls: 1 GetItem, 1000 UpdateItem.", "- Capacity: 1000.0 write units and 0.5 read units",
				"- Cost in AWS: 0.0015 USD at 0.625 USD", "- Tables: 3 were created, and all of them were deleted.");
	}

	@Test
	void tablesThatAreLeftAreNamed() {
		assertThat(text(Map.of("some-table", "denied"))).contains("1 may still exist:\n  - `some-table`: denied");
	}

	@Test
	void accountNumbersAreHidden() {
		this.report.add(new PolicyCheck(), Outcome
			.failed("not authorized to perform dynamodb:Scan on arn:aws:dynamodb:eu-west-1:111122223333:table/x"));

		assertThat(text(Map.of())).contains("arn:aws:dynamodb:eu-west-1:ACCOUNT:table/x")
			.doesNotContain("111122223333");
	}

	@Test
	void percentilesAreTheLeastValueThatTheShareDoesNotExceed() {
		List<Duration> durations = IntStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList();

		assertThat(new Latencies().add("acquire", durations).add("none", List.of()).rows())
			.contains("| acquire | 100 | 50.0 ms | 90.0 ms | 99.0 ms | 100.0 ms |", "| none | 0 |  |  |  |  |");
	}

	private String text(Map<String, String> left) {
		return this.report.text("AWS", Versions.read(), new Meter(Meter.LIMIT), 3, left);
	}

}
