/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.lease.LeaseRunner;
import io.github.dynamodblock.runtime.lease.ResultFuture;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.store.TableSchema;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The alarm of one lease, in virtual time, while others change the lease.
 */
class LeaseRunnerTests {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private final VirtualTime time = new VirtualTime();

	private final List<String> reported = new ArrayList<>();

	private final ClientState client = new ClientState(
			VirtualClient.settings("me", TableSchema.of("locks"), listener()), environment());

	private final LeaseRunner runner = runner();

	private boolean shortened;

	/** By how much the holder's clock is ahead, in nanoseconds. */
	private long slept;

	private Duration pause = Duration.ZERO;

	@Test
	void aLeaseThatBecomesShorterWhileTheAlarmIsSetIsStillLostOnTime() {
		begin();
		assertThat(this.shortened).isTrue();
		this.time.pass(SHORT);
		assertThat(this.runner.last().lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aPauseBetweenReadingTheClockAndSettingTheTimerDoesNotDelayTheLoss() {
		this.shortened = true;
		this.pause = VirtualClient.LEASE.dividedBy(2);
		begin();
		this.time.pass(VirtualClient.LEASE.dividedBy(2));
		assertThat(this.runner.last().lossReason()).isEqualTo(LossReason.EXPIRED);
	}

	@Test
	void aLeaseThatRecoversLateIsExpiringAgainOnTime() {
		this.shortened = true;
		begin();
		this.time.pass(SHORT);
		this.runner.input((lease, now) -> lease.sending("renewed", now));
		this.time.pass(SHORT.multipliedBy(6));
		assertThat(this.runner.last().isExpiring()).isTrue();
		this.runner.input((lease, now) -> lease.answered("renewed", new Answer.Applied(null), now, 0.5));
		assertThat(this.runner.last().isExpiring()).isFalse();
		this.time.pass(SHORT);
		assertThat(this.runner.last().isExpiring()).isTrue();
	}

	@Test
	void aReadingThatFindsTheLockLostReportsIt() {
		this.shortened = true;
		begin();
		this.slept = VirtualClient.LEASE.toNanos();
		assertThat(this.runner.present().isHeld()).isFalse();
		assertThat(this.reported).containsExactly("acquired", "lost EXPIRED");
	}

	@Test
	void whatIsDecidedLaterIsReportedLater() {
		this.shortened = true;
		begin();
		ResultFuture<Lease> refused = new ResultFuture<>();
		var lost = refused.exceptionally((refusal) -> this.runner.input((lease, now) -> lease.lost(LossReason.STOLEN)));
		this.runner.input((lease, now) -> lease.renew(RenewRequest.create(), refused).sending("refused", now));
		Answer refusal = new Answer.Failed(new LockStoreException("refused", null));
		this.runner.input((lease, now) -> lease.answered("refused", refusal, now, 0.5));
		assertThat(lost).isCompleted();
		assertThat(this.reported).containsExactly("acquired", "renewal failed", "lost STOLEN");
	}

	private ClockReading now() {
		return new ClockReading(this.time.nanos(), this.time.nanos() + this.slept, this.time.wallClock());
	}

	private LeaseRunner runner() {
		LockRequest request = LockRequest.of("k").automaticRenewal(false);
		LockRecord record = LockRecord.builder(request.key(), "me", VirtualClient.LEASE, "granted")
			.fencingToken(1L)
			.build();
		AcquisitionTerms terms = new AcquisitionTerms(request, "me", VirtualClient.TERMS, 0, 0, false, null, null,
				null);
		Lease lease = Lease.granted(terms, new Step.Granted(record, 0, false), now());
		return new LeaseHandle(lease, Duration.ZERO, false, this.client, this.client.listeners().about(request))
			.runner();
	}

	private LockListener listener() {
		return new LockListener() {

			@Override
			public void onAcquired(HeldLock lock) {
				LeaseRunnerTests.this.reported.add("acquired");
			}

			@Override
			public void onRenewalFailed(HeldLock lock, Throwable cause) {
				LeaseRunnerTests.this.reported.add("renewal failed");
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				LeaseRunnerTests.this.reported.add("lost " + reason);
			}

		};
	}

	private void begin() {
		this.runner.deliver(null);
	}

	/** The clocks, and a timer at whose first use a heartbeat makes the lease shorter. */
	private Environment environment() {
		Timer timer = (delayNanos, task) -> {
			if (!this.shortened) {
				this.shortened = true;
				RenewRequest shorter = RenewRequest.create().leaseDuration(SHORT);
				this.runner.input((lease, now) -> lease.renew(shorter, new ResultFuture<>()).sending("shorter", now));
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
					case "listeners" -> (Executor) Runnable::run;
					case "lock" -> new ReentrantLock();
					case "randomness" -> Given.numbered();
					case "send" -> null;
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

}
