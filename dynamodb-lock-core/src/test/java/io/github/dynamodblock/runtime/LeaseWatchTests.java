/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.reflect.Proxy;
import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The watch over one lease, in virtual time, while others change the lease.
 */
class LeaseWatchTests {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private final VirtualTime time = new VirtualTime();

	private final LeaseState state = new LeaseState(lease(), this::changed);

	private final LeaseWatch watch = new LeaseWatch(this.state, environment());

	private boolean shortened;

	private Duration pause = Duration.ZERO;

	@Test
	void aLeaseThatBecomesShorterInTheMiddleOfALookIsStillLostOnTime() {
		this.watch.look();
		assertThat(this.shortened).isTrue();
		this.time.pass(SHORT);
		assertThat(this.state.get().lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aPauseBetweenReadingTheClockAndSettingTheTimerDoesNotDelayTheLoss() {
		this.shortened = true;
		this.pause = VirtualClient.LEASE.dividedBy(2);
		this.watch.look();
		this.time.pass(VirtualClient.LEASE.dividedBy(2));
		assertThat(this.state.get().lossReason()).isEqualTo(LossReason.EXPIRED);
	}

	@Test
	void aLeaseThatRecoversLateIsExpiringAgainOnTime() {
		this.shortened = true;
		this.watch.look();
		this.time.pass(SHORT);
		this.state.update((lease) -> lease.renewing("renewed", now()));
		this.time.pass(SHORT.multipliedBy(6));
		assertThat(this.state.get().isExpiring()).isTrue();
		this.state.update((lease) -> lease.answered(new Answer.Applied(null), now()));
		assertThat(this.state.get().isExpiring()).isFalse();
		this.time.pass(SHORT);
		assertThat(this.state.get().isExpiring()).isTrue();
	}

	private ClockReading now() {
		return new ClockReading(this.time.nanos(), this.time.nanos(), this.time.wallClock());
	}

	private static HeldLease lease() {
		LockRecord record = LockRecord.builder(LockKey.of("k"), "me", VirtualClient.LEASE, "granted")
			.fencingToken(1L)
			.build();
		return HeldLease.granted(record, VirtualClient.TERMS, 0);
	}

	/** The clocks, and a timer at whose first use a heartbeat makes the lease shorter. */
	private Environment environment() {
		Timer timer = (delayNanos, task) -> {
			if (!this.shortened) {
				this.shortened = true;
				this.state.update((lease) -> lease.asked(SHORT, ItemChange.none()).renewing("shorter", now()));
			}
			Duration paused = this.pause;
			this.pause = Duration.ZERO;
			this.time.pass(paused);
			return this.time.at(delayNanos, task);
		};
		return (Environment) Proxy.newProxyInstance(Environment.class.getClassLoader(),
				new Class<?>[] { Environment.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "now" -> now();
					case "watch" -> timer;
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

	private void changed(LeaseState.Current before, LeaseState.Current after) {
		if (before.isKept() && !after.isKept()) {
			this.watch.end();
		}
		if (after.changesSoonerThan(before)) {
			this.watch.look();
		}
	}

}
