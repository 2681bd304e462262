/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import org.jspecify.annotations.Nullable;

/**
 * One call of the job's method on a node. It does what the starter's advice does, without
 * blocking: a real lock client acquires and releases.
 */
final class SimulatedCall {

	private final SimulatedNode node;

	private final SimulatedJobs jobs;

	private final JobFindings findings;

	private final JobChecks checks;

	private final Random random;

	private final SimulatedProcess process;

	private final JobCall call;

	private final @Nullable JobRun run;

	/** The lock, while the body is under way. */
	private @Nullable HeldLock lock;

	/** When the body began, by the node's clock. */
	private Instant began = Instant.MIN;

	SimulatedCall(SimulatedNode node, SimulatedJobs jobs, JobCall call) {
		this.node = node;
		this.jobs = jobs;
		this.findings = jobs.findings();
		this.checks = jobs.checks(call.job().key());
		this.random = jobs.random();
		this.process = node.process();
		this.call = call;
		this.run = call.run();
	}

	/** Whether the body is under way, with or without its lock. */
	boolean isUnderWay() {
		return this.lock != null;
	}

	/** The run under way, if its body has begun and its lock is held. */
	Optional<JobRun> running() {
		HeldLock held = this.lock;
		return (held != null && held.isHeld()) ? Optional.ofNullable(this.run) : Optional.empty();
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	void acquire() {
		this.node.scheduler().occupy();
		CompletableFuture<HeldLock> granted = this.process.client()
			.acquireAsync(this.call.claim(request()), (task) -> this.process.later(Duration.ofMillis(1), task));
		this.node.addPending(granted);
		granted.whenComplete((held, failure) -> {
			this.node.removePending(granted);
			if (held != null) {
				granted(held);
			}
			else {
				refused((failure instanceof CompletionException) ? Objects.requireNonNull(failure.getCause())
						: failure);
			}
		});
	}

	private LockRequest request() {
		LockRequest request = LockRequest.of(this.call.job().key())
			.waitTime(Duration.ZERO)
			.holdAtLeast(this.jobs.scenario().holdAtLeast());
		Duration limit = this.call.job().limit();
		return (limit != null) ? request.holdAtMost(limit) : request;
	}

	private void refused(Throwable failure) {
		this.findings.note(this.process, "is refused", failure);
		SimulatedBean.Watch watch = this.node.watch(this.call.job().key());
		watch.answered(false);
		boolean later = failure instanceof RuntimeException refusal && this.call.refused(refusal);
		JobRun refused = this.run;
		if (refused == null) {
			this.findings.count("plain calls that were refused");
		}
		else if (failure instanceof LockNotGrantedException refusal) {
			watch.answered(refusal.record()
				.map(JobRecord::of)
				.filter((record) -> record.isFinished() && record.tick().equals(Optional.of(refused.tick())))
				.isPresent() && refused.job().schedule() instanceof JobSchedule.Cron);
		}
		else if (!later && !this.node.isClosing()) {
			this.findings.violation("a claim failed unexpectedly: " + failure);
		}
		this.node.scheduler().free();
	}

	private void granted(HeldLock held) {
		JobRun granted = this.run;
		this.findings.note(this.process, "is granted",
				(granted != null) ? granted + " " + granted.end() : "a plain lock");
		if (this.node.dies(SimulatedNode.Moment.BEFORE_BODY)) {
			return;
		}
		if (!held.isHeld()) {
			// No lock protects a body that begins after such a pause of the process.
			this.findings.count("leases that expired before the body began");
			this.node.scheduler().free();
			return;
		}
		if (this.jobs.running(this.call.job().key()).isPresent()) {
			this.checks.twoBodies();
		}
		this.node.watch(this.call.job().key()).answered(false);
		this.call.started(held);
		this.began = (granted != null) ? this.checks.wall(granted) : this.process.wallClock();
		this.lock = held;
		this.node.addCall(this);
		if (granted == null) {
			this.findings.count("plain calls");
			this.jobs.holdsPlainly();
		}
		else if (granted.end() != null) {
			this.findings.count("recorded as " + granted.end());
			end(null);
			return;
		}
		else {
			begun(granted);
		}
		boolean longer = this.random.nextInt(20) == 0;
		Duration duration = Duration.ofMillis(this.random.nextInt(longer ? 15_000 : 1_500));
		boolean fails = this.random.nextInt(10) == 0;
		this.process.later(duration, () -> end(fails ? new IllegalStateException("no paper") : null));
	}

	private void begun(JobRun begun) {
		this.checks.started(begun);
		if (begun.isRerun()) {
			this.jobs.runsAgain(this.node);
		}
		Duration limit = begun.job().limit();
		if (limit != null) {
			boolean unrecorded = this.random.nextInt(3) == 0;
			this.process.later(limit.minusMillis(5), () -> {
				if (unrecorded && isUnderWay()) {
					this.process.cutOff(Duration.ofSeconds(8));
				}
			});
			this.process.later(limit.plusMillis(1), () -> reachesLimit(begun, this.began.plus(limit)));
		}
	}

	/**
	 * The body goes on beyond its limit. After a pause of the process, the lease may have
	 * expired before, and what it wrote by a clock that was set back does not show the
	 * limit.
	 */
	private void reachesLimit(JobRun late, Instant limit) {
		HeldLock held = this.lock;
		boolean known = !this.checks.wall(late).isAfter(limit.plusMillis(2))
				&& !this.process.wallClock().isBefore(limit.minusMillis(2));
		if (known && held != null && held.lossReason().filter(LossReason.HELD_TOO_LONG::equals).isPresent()) {
			this.findings.count("runs over their limit");
			this.checks.ended(late);
			this.checks.finished(late);
		}
	}

	/** The body has ended, by itself or by the shutdown. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	void end(@Nullable Throwable failure) {
		HeldLock held = this.lock;
		if (held == null || this.node.dies(SimulatedNode.Moment.AFTER_BODY)) {
			return;
		}
		this.lock = null;
		JobRun ending = this.run;
		ReleaseRequest request = this.call.ended(failure);
		Instant ended = (ending != null) ? this.checks.wall(ending) : null;
		boolean over = false;
		if (ending != null) {
			this.checks.ended(ending);
			if (ending.end() == null) {
				JobOutcome outcome = this.node.takeOutcome();
				if (this.node.isStopped() && !this.node.isInterrupted()) {
					this.findings.count("runs that ended by themselves after their node was stopped: " + outcome);
				}
				this.checks.checkOutcome(ending, outcome, failure, this.node.isInterrupted());
				over = outcome != JobOutcome.INTERRUPTED || ending.job().attempts() == 1;
			}
		}
		boolean isOver = over;
		CompletableFuture<ReleaseOutcome> released = Releases.begin(held, request);
		if (this.node.dies(SimulatedNode.Moment.AFTER_RELEASE)) {
			return;
		}
		released.whenComplete((result, problem) -> {
			this.findings.note(this.process, "has released", result + " " + problem);
			if (isOver && result == ReleaseOutcome.KEPT) {
				this.checks.finished(Objects.requireNonNull(ending));
			}
			if (isOver && result == ReleaseOutcome.RELEASED) {
				this.checks.spaced(this.call.job(), this.began, Objects.requireNonNull(ended));
			}
			this.node.scheduler().free();
		});
	}

	/** Its process has ended. */
	void crash() {
		running().ifPresent(this.checks::ended);
		this.lock = null;
	}

}
