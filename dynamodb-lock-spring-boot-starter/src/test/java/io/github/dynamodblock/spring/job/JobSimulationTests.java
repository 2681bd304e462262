/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

import io.github.dynamodblock.spring.OnCrash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Five nodes with one job in virtual time, under kills, outages, lost answers, manual
 * runs and clocks that differ. {@code -Djobs.ticks=100000} simulates as many ticks in
 * each case.
 */
class JobSimulationTests {

	private static final int TICKS = Integer.getInteger("jobs.ticks", 2_000);

	@ParameterizedTest
	@EnumSource(OnCrash.class)
	void noTickIsStartedTwiceAndNoneIsLost(OnCrash onCrash) {
		SimulatedJobs jobs = new SimulatedJobs(17, TICKS, onCrash, true);
		jobs.run();
		assertThat(jobs.starts.values()).as("starts of each tick, or of each attempt of it").containsOnly(1);
		assertThat(jobs.lost()).as("ticks that were neither run nor reported").isEmpty();
		assertThat(jobs.mostEarly).as("how early a call claims a tick").isBetween(Duration.ZERO, Duration.ofMillis(10));
		assertThat(jobs.count("run")).as("ticks that ran").isGreaterThan(TICKS / 2);
		assertThat(jobs.manual).as("manual runs").isPositive();
		assertThat(jobs.count("missed") + jobs.count("crashed")).as("reported ticks").isPositive();
	}

	@Test
	void aCrashedRunIsRunAgainOneLeaseAndTwoReadsAfterTheLastHeartbeat() {
		SimulatedJobs jobs = new SimulatedJobs(17, TICKS, OnCrash.RERUN, false);
		jobs.run();
		assertThat(jobs.starts.values()).containsOnly(1);
		assertThat(jobs.lost()).isEmpty();
		assertThat(jobs.rerunDelays).hasSizeGreaterThan(TICKS / 20)
			.allSatisfy((delay) -> assertThat(delay).isLessThanOrEqualTo(3 * SimulatedJobs.LEASE.toMillis()));
	}

}
