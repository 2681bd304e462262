/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.testing.RepositoryFiles;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The costs in {@code docs/capacity.md} follow from its units and prices, and the units
 * are those that clients need in virtual time. The starter's {@code JobCostTests} count
 * those of jobs.
 */
class CostTests extends VirtualTimeTest {

	private static final Duration MONTH = Duration.ofDays(30);

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| ([^|]+) \\| ([\\d,]+) \\| ([\\d,]+) \\| (\\d+\\.\\d\\d) \\|$");

	private static final Percentage TOLERANCE = Percentage.withPercentage(1);

	private static final LockRequest LOCK = LockRequest.of("k")
		.leaseDuration(Duration.ofSeconds(20))
		.heartbeatPeriod(Duration.ofSeconds(5));

	private double writeUnits;

	private double readUnits;

	CostTests() {
		super(new SimulatedTable());
	}

	@Test
	void theCostOfEachSetupIsThatOfItsUnits() {
		BigDecimal write = price("([\\d.]+) USD per million write");
		BigDecimal read = price("([\\d.]+) USD per million read");
		assertThat(rows()).hasSizeGreaterThanOrEqualTo(8).allSatisfy((row) -> {
			BigDecimal millionths = write.multiply(units(row, 2)).add(read.multiply(units(row, 3)));
			assertThat(new BigDecimal(row.group(4))).as(row.group(1))
				.isEqualTo(millionths.movePointLeft(6).setScale(2, RoundingMode.HALF_UP));
		});
	}

	@Test
	void aLockThatIsAlwaysHeld() {
		count(one());
		one().start(LOCK);
		time().pass(Duration.ofHours(1));
		assertUnits("a lock that is always held", Duration.ofHours(1));
	}

	/** Its writes become rarer and rarer. */
	@Test
	void aProcessThatAlwaysWaits() {
		one().start(LOCK);
		two().start(LOCK.waitTime(Duration.ofDays(2)));
		count(two());
		time().pass(Duration.ofHours(1));
		double reads = this.readUnits;
		time().pass(Duration.ofHours(6));
		MatchResult row = row("a process that always waits for a held lock");
		assertThat(this.writeUnits).isBetween(units(row, 2).doubleValue() / 2, units(row, 2).doubleValue());
		assertThat((this.readUnits - reads) * MONTH.toHours() / 6).isCloseTo(units(row, 3).doubleValue(), TOLERANCE);
	}

	@Test
	void aLeaderIsALockThatIsHeldAndAFollowerCostsWhatTheBenchmarkMeasured() {
		MatchResult row = row("a leader and two followers");
		assertThat(units(row, 2)).isEqualTo(units(row("a lock that is always held"), 2));
		BigDecimal follower = price("follower's polls cost\\s+([\\d.]+) read units per second");
		assertThat(units(row, 3)).isEqualByComparingTo(follower.multiply(BigDecimal.valueOf(2 * MONTH.toSeconds())));
	}

	@Test
	void aLockedCallEachSecond() {
		count(one());
		for (int second = 0; second < 60; second++) {
			one().release(one().acquire(LOCK));
			time().pass(Duration.ofSeconds(1).minus(VirtualEnvironment.CALL.multipliedBy(2)));
		}
		assertUnits("a locked web request each second, never contended", Duration.ofMinutes(1));
	}

	@Test
	void aSemaphoreOfWhichHalfIsInUse() {
		List<VirtualClient> clients = List.of(one(), two(), client("three", (settings) -> settings));
		clients.forEach(this::count);
		for (int call = 0; call < 5 * 600; call++) {
			AcquisitionTask task = clients.get(call % clients.size()).start(LOCK.permits(5));
			time().at(Duration.ofMillis(500).toNanos(), () -> {
				Object unused = VirtualClient.granted(task).beginRelease(ReleaseRequest.create());
			});
			time().pass(Duration.ofMillis(200));
		}
		assertUnits("a semaphore of 5 permits: 5 calls a second of 0.5 s, from three nodes", Duration.ofMinutes(10));
	}

	private void assertUnits(String setup, Duration time) {
		double scale = (double) MONTH.toNanos() / time.toNanos();
		MatchResult row = row(setup);
		assertThat(this.writeUnits * scale).isCloseTo(units(row, 2).doubleValue(), TOLERANCE);
		assertThat(this.readUnits * scale).isCloseTo(units(row, 3).doubleValue(), TOLERANCE);
	}

	private void count(VirtualClient client) {
		client.environment().show((call) -> {
			if (call instanceof Step.Read read) {
				this.readUnits += read.consistent() ? 1 : 0.5;
			}
			else {
				this.writeUnits++;
			}
		}, (answer) -> {
		});
	}

	private static List<MatchResult> rows() {
		return ROW.matcher(page()).results().toList();
	}

	private static MatchResult row(String setup) {
		return rows().stream().filter((each) -> each.group(1).startsWith(setup)).findFirst().orElseThrow();
	}

	private static BigDecimal units(MatchResult row, int group) {
		return new BigDecimal(row.group(group).replace(",", ""));
	}

	private static BigDecimal price(String pattern) {
		return Pattern.compile(pattern)
			.matcher(page())
			.results()
			.map((found) -> new BigDecimal(found.group(1)))
			.findFirst()
			.orElseThrow();
	}

	private static String page() {
		try {
			return Files.readString(RepositoryFiles.root().resolve("docs/capacity.md"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("docs/capacity.md cannot be read", ex);
		}
	}

}
