/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.protocol.ClockReading;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SystemClocksTests {

	private final Machine machine = new Machine();

	private final SystemClocks clocks = new SystemClocks(this.machine::uptime, this.machine::wall,
			this.machine::monotonic);

	@Test
	void aSuspensionIsInTheHoldersFirstReadingAfterIt() {
		this.clocks.now();
		this.machine.runs(Duration.ofMillis(1));
		this.machine.isSuspended(Duration.ofSeconds(20));
		assertThat(holder()).isEqualTo(Duration.ofMillis(20_001));
		assertThat(observer()).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void aSuspensionThatACorrectionOfTheWallClockHidesIsInTheHoldersReadingsWithinASecond() {
		this.clocks.now();
		this.machine.isSuspended(Duration.ofSeconds(20));
		this.machine.wall = this.machine.wall.minusSeconds(20);
		this.machine.runs(Duration.ofSeconds(1));
		assertThat(holder()).isEqualTo(Duration.ofSeconds(21));
	}

	@Test
	void severalSuspensionsAddUp() {
		for (int i = 0; i < 3; i++) {
			this.machine.isSuspended(Duration.ofSeconds(5));
			this.clocks.now();
		}
		assertThat(holder()).isEqualTo(Duration.ofSeconds(15));
	}

	@Test
	void theUptimeIsReadOnceASecondWhileTheWallClockRunsEvenly() {
		int before = this.machine.uptimeReadings;
		for (int i = 0; i < 3_000; i++) {
			this.machine.runs(Duration.ofMillis(1));
			this.clocks.now();
		}
		assertThat(this.machine.uptimeReadings - before).isEqualTo(3);
	}

	@Test
	void aCorrectionOfTheWallClockIsNoSuspension() {
		this.clocks.now();
		this.machine.wall = this.machine.wall.plusSeconds(3600);
		assertThat(holder()).isZero();
		this.machine.wall = this.machine.wall.minusSeconds(7200);
		assertThat(holder()).isZero();
	}

	@Test
	void anUptimeThatCannotBeReadTurnsNoTimeBack() {
		this.machine.isSuspended(Duration.ofSeconds(20));
		this.clocks.now();
		this.machine.uptimeFails = true;
		this.machine.runs(Duration.ofSeconds(2));
		assertThat(holder()).isEqualTo(Duration.ofSeconds(22));
	}

	@Test
	void aPauseBetweenTwoReadingsDatesNoWallClockBeforeTheHoldersClock() {
		for (int before = 0; before < 10; before++) {
			for (Duration since : List.of(Duration.ZERO, Duration.ofSeconds(2))) {
				this.clocks.now();
				this.machine.runs(since);
				this.machine.pauses(before, () -> this.machine.runs(Duration.ofSeconds(5)));
				assertThatTheWallClockIsNotBehind(this.clocks.now());
				this.clocks.now();
				this.machine.runs(since);
				this.machine.pauses(before, () -> this.machine.isSuspended(Duration.ofSeconds(5)));
				assertThatTheWallClockIsNotBehind(this.clocks.now());
			}
		}
	}

	private static void assertThatTheWallClockIsNotBehind(ClockReading reading) {
		assertThat(reading.wallClock()).isAfterOrEqualTo(Machine.BEGIN.plusNanos(reading.holderNanos()));
	}

	@Test
	void aPauseBetweenTwoReadingsHidesNoSuspension() {
		for (int before = 0; before < 10; before++) {
			this.clocks.now();
			this.machine.isSuspended(Duration.ofSeconds(20));
			this.machine.pauses(before, () -> this.machine.runs(Duration.ofMillis(900)));
			this.clocks.now();
			this.machine.pausesBefore = -1;
			assertThat(holder()).isEqualTo(Duration.between(Machine.BEGIN, this.machine.wall));
		}
	}

	private Duration holder() {
		return Duration.ofNanos(this.clocks.now().holderNanos());
	}

	private Duration observer() {
		return Duration.ofNanos(this.clocks.now().observerNanos());
	}

	/**
	 * A machine that runs or is suspended.
	 */
	private static final class Machine {

		private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

		private long monotonic = -5;

		private long uptime = 1_000;

		private Instant wall = BEGIN;

		private int uptimeReadings;

		private boolean uptimeFails;

		/** Before how many more readings of any clock the thread is to pause. */
		private int pausesBefore = -1;

		private Runnable pause = () -> {
		};

		void runs(Duration time) {
			this.monotonic += time.toNanos();
			isSuspended(time);
		}

		void isSuspended(Duration time) {
			this.uptime += time.toNanos();
			this.wall = this.wall.plus(time);
		}

		void pauses(int before, Runnable pause) {
			this.pausesBefore = before;
			this.pause = pause;
		}

		private void read() {
			if (this.pausesBefore-- == 0) {
				this.pause.run();
			}
		}

		long monotonic() {
			read();
			return this.monotonic;
		}

		Instant wall() {
			read();
			return this.wall;
		}

		long uptime() throws IOException {
			read();
			this.uptimeReadings++;
			if (this.uptimeFails) {
				throw new IOException("not Linux");
			}
			return this.uptime;
		}

	}

}
