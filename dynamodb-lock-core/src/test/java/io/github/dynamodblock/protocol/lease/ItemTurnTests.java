/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats and guarded writes of one lock are sent one at a time. A write is known by
 * what sends it again.
 */
@SuppressWarnings("UnnecessaryLambda") // a write is known by its identity
class ItemTurnTests {

	private static final Answer APPLIED = new Answer.Applied(null);

	/** What follows, in order: the calls that get another slot. */
	private final List<String> slots = new ArrayList<>();

	private final Runnable one = () -> this.slots.add("one");

	private final Runnable two = () -> this.slots.add("two");

	private final Runnable three = () -> this.slots.add("three");

	private Lease lease = Course.granted(Given.ours("granted"), Given.TERMS).lease();

	private ClockReading now = at(0);

	ItemTurnTests() {
		input((lease) -> lease.delivered(new Course.Ignored<>(), null, this.now, 1));
	}

	@Test
	void aHeartbeatWaitsForTheAnswerOfAGuardedWrite() {
		assertThat(isSent(this.one)).isTrue();
		askForHeartbeat();
		assertThat(heartbeat("heartbeat")).isNull();
		input((lease) -> lease.written(this.one));
		assertThat(this.slots).containsExactly("on demand", "on demand");
		assertThat(heartbeat("heartbeat")).isNotNull();
	}

	@Test
	void aGuardedWriteWaitsForTheAnswerOfAHeartbeat() {
		askForHeartbeat();
		assertThat(heartbeat("heartbeat")).isNotNull();
		assertThat(isSent(this.one)).isFalse();
		answer("heartbeat");
		assertThat(this.slots).containsExactly("on demand", "one");
		assertThat(isSent(this.one)).isTrue();
	}

	@Test
	void aGuardedWriteDoesNotWaitForAHeartbeatThatHasNoSlotYet() {
		askForHeartbeat();
		assertThat(isSent(this.one)).isTrue();
	}

	@Test
	void noGuardedWritePassesAHeartbeatThatHadToWait() {
		isSent(this.one);
		askForHeartbeat();
		heartbeat("heartbeat");
		input((lease) -> lease.written(this.one));
		assertThat(isSent(this.two)).isFalse();
		assertThat(heartbeat("heartbeat")).isNotNull();
		answer("heartbeat");
		assertThat(this.slots).endsWith("two");
	}

	@Test
	void aHeartbeatThatNoThreadCanSendLetsTheGuardedWritesPass() {
		isSent(this.one);
		askForHeartbeat();
		heartbeat("heartbeat");
		isSent(this.two);
		input((lease) -> lease.written(this.one));
		this.slots.clear();
		input((lease) -> lease.answered("heartbeat", Given.unknown(), this.now, 0.5));
		assertThat(this.slots).contains("two");
	}

	@Test
	void aHeartbeatThatWasDueDoesNotWaitForTheThreadOfACallerWhoAskedForOneMeanwhile() {
		isSent(this.one);
		this.now = at(2500);
		input((lease) -> lease.at(this.now));
		heartbeat("heartbeat");
		askForHeartbeat();
		this.slots.clear();
		input((lease) -> lease.written(this.one));
		assertThat(this.slots).containsExactly("heartbeat");
	}

	@Test
	void aGuardedWriteThatNoThreadCanSendLetsTheNextOnePass() {
		isSent(this.one);
		isSent(this.two);
		isSent(this.three);
		input((lease) -> lease.written(this.one));
		assertThat(this.slots).containsExactly("two");
		input((lease) -> lease.written(this.two));
		assertThat(this.slots).containsExactly("two", "three");
	}

	@Test
	void aLeaseThatHasEndedAsksForNoHeartbeat() {
		isSent(this.one);
		askForHeartbeat();
		heartbeat("heartbeat");
		input((lease) -> lease.lost(LossReason.STOLEN));
		this.slots.clear();
		input((lease) -> lease.written(this.one));
		assertThat(this.slots).isEmpty();
	}

	@Test
	void theGuardedWritesThatWaitAreSentInTheirOrder() {
		isSent(this.one);
		assertThat(isSent(this.two)).isFalse();
		assertThat(isSent(this.three)).isFalse();
		input((lease) -> lease.written(this.one));
		assertThat(this.slots).containsExactly("two");
		assertThat(isSent(this.two)).isTrue();
		input((lease) -> lease.written(this.two));
		assertThat(this.slots).containsExactly("two", "three");
	}

	@Test
	void aHeartbeatWaitsForAGuardedWriteNoLongerThanThatMayTake() {
		this.now = at(2400);
		isSent(this.one);
		long until = at(2500).holderNanos() + this.lease.writeLimitNanos(this.now);
		this.now = at(2500);
		input((lease) -> lease.at(this.now));
		assertThat(heartbeat("heartbeat")).isNull();
		this.slots.clear();
		this.now = new ClockReading(until - 1, until - 1, this.now.wallClock());
		input((lease) -> lease.at(this.now));
		assertThat(this.slots).isEmpty();
		this.now = new ClockReading(until, until, this.now.wallClock());
		input((lease) -> lease.at(this.now));
		assertThat(this.slots).containsExactly("heartbeat");
		assertThat(heartbeat("heartbeat")).isNotNull();
	}

	@Test
	void aLateAnswerEndsNoOtherWritesTurn() {
		long limit = this.lease.writeLimitNanos(this.now);
		isSent(this.one);
		askForHeartbeat();
		heartbeat("heartbeat");
		this.now = new ClockReading(limit, limit, this.now.wallClock());
		input((lease) -> lease.at(this.now));
		heartbeat("heartbeat");
		answer("heartbeat");
		assertThat(isSent(this.two)).isTrue();
		input((lease) -> lease.written(this.one));
		assertThat(isSent(this.three)).isFalse();
	}

	@Test
	void aHeartbeatOfALockThatIsKeptWaitsForTheOneBefore() {
		this.lease = kept();
		askForHeartbeat();
		assertThat(heartbeat("heartbeat")).isNotNull();
		Ending release = Ending.awaited(ReleaseRequest.create(), new Course.Ignored<ReleaseOutcome>());
		input((lease) -> lease.release(release, this.now));
		assertThat(this.lease.isLive()).isTrue();
		assertThat(heartbeat("another")).isNull();
	}

	private Lease kept() {
		AcquisitionTerms terms = new AcquisitionTerms(LockRequest.of(Given.KEY).holdAtLeast(Duration.ofMinutes(1)),
				"me", Given.TERMS, 0, 0, false, null, null, null);
		return Lease.granted(terms, new Step.Granted(Given.ours("granted"), 0, false), this.now)
			.delivered(new Course.Ignored<>(), null, this.now, 1);
	}

	@Test
	void theEndOfTheLeaseWakesTheGuardedWritesThatHaveBegun() {
		input((lease) -> lease.begun(this.one));
		input((lease) -> lease.begun(this.two));
		input((lease) -> lease.begun(this.three));
		input((lease) -> lease.over(this.three));
		askForHeartbeat();
		heartbeat("heartbeat");
		isSent(this.one);
		isSent(this.two);
		this.slots.clear();
		input((lease) -> lease.lost(LossReason.STOLEN));
		assertThat(this.slots).containsExactly("one", "two");
		assertThat(this.lease.writing(this.one, this.now).letsWait(this.one)).isFalse();
	}

	@Test
	void aReleaseWaitsForNoGuardedWriteAndWakesThoseThatWait() {
		input((lease) -> lease.begun(this.two));
		isSent(this.one);
		isSent(this.two);
		Ending release = Ending.awaited(ReleaseRequest.create(), new Course.Ignored<ReleaseOutcome>());
		input((lease) -> lease.release(release, this.now));
		assertThat(this.lease.endsAs(release)).isTrue();
		assertThat(this.slots).containsExactly("two");
	}

	private void askForHeartbeat() {
		input((lease) -> lease.renew(RenewRequest.create().change(ItemChange.none()), new Course.Ignored<>()));
	}

	private Step.@Nullable Call heartbeat(String version) {
		input((lease) -> lease.sending(version, this.now));
		return this.lease.call(version);
	}

	private void answer(String version) {
		input((lease) -> lease.answered(version, APPLIED, this.now, 0.5));
	}

	private boolean isSent(Runnable write) {
		input((lease) -> lease.writing(write, this.now));
		return !this.lease.letsWait(write);
	}

	private void input(UnaryOperator<Lease> transition) {
		Lease decided = transition.apply(this.lease);
		this.lease = decided.carriedOut();
		Effects effects = new Effects();
		for (Consumer<LeaseEffects> effect : decided.effects()) {
			effect.accept(effects);
		}
	}

	/** Notes what asks for a slot. */
	private final class Effects implements LeaseEffects {

		@Override
		public void heartbeat() {
			ItemTurnTests.this.slots.add("heartbeat");
		}

		@Override
		public void heartbeatOnDemand() {
			ItemTurnTests.this.slots.add("on demand");
		}

		@Override
		public void release(Ending ending) {
			throw new IllegalStateException("its caller begins it");
		}

		@Override
		public void report(BiConsumer<LockListener, HeldLock> event) {
			// Not looked at here.
		}

		@Override
		public void renewed(LockRecord record, long sentAt) {
			// Not looked at here.
		}

		@Override
		public void renewalFailed(Throwable cause) {
			// Not looked at here.
		}

		@Override
		public void expiring() {
			// Not looked at here.
		}

		@Override
		public void recovered() {
			// Not looked at here.
		}

		@Override
		public void lost(LossReason reason) {
			// Not looked at here.
		}

		@Override
		public void ended() {
			// Not looked at here.
		}

	}

}
