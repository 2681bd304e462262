/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its runner drives it: each transition begins with the time.
 */
record Course(Lease lease, String sent) {

	static Course granted(LockRecord record, LeaseTerms terms) {
		return granted(record, terms, null);
	}

	/** The grant of a claim that was sent at zero. */
	static Course granted(LockRecord record, LeaseTerms terms, @Nullable Duration holdAtMost) {
		AcquisitionTerms acquisition = new AcquisitionTerms(LockRequest.of(record.key()), record.ownerName(), terms, 0,
				0, false, null, holdAtMost, null);
		return new Course(Lease.granted(acquisition, new Step.Granted(record, 0, false), Given.at(0)), "");
	}

	private Course then(Lease next) {
		return new Course(next, this.sent);
	}

	Course at(ClockReading now) {
		return then(this.lease.at(now));
	}

	Course asked(Duration leaseDuration, ItemChange change) {
		return then(
				this.lease.renew(RenewRequest.create().leaseDuration(leaseDuration).change(change), new Ignored<>()));
	}

	/** Sends a heartbeat, or the read that settles whether the item is gone. */
	Course renewing(String version, ClockReading now) {
		return new Course(this.lease.at(now).sending(version, now), version);
	}

	/** The call that was sent last. */
	Step.@Nullable Call call() {
		return this.lease.call(this.sent);
	}

	/** The answer to the last call. */
	Course answered(Answer answer, ClockReading now) {
		return then(this.lease.at(now).answered(this.sent, answer, now, 0.5));
	}

	Course lost(LossReason reason) {
		return then(this.lease.lost(reason));
	}

	/** The state from the beginning of the release on. */
	Course ending() {
		return then(this.lease.release(Ending.awaited(ReleaseRequest.create(), new Ignored<>()), Given.at(1)));
	}

	LockWrite.Renew renewal() {
		return this.lease.renewals().heartbeat();
	}

	LockRecord record() {
		return this.lease.renewals().record();
	}

	long deadline() {
		return this.lease.renewals().deadline();
	}

	long lostAt() {
		return this.lease.lostAt();
	}

	boolean isLive() {
		return this.lease.isLive();
	}

	boolean isExpiring() {
		return this.lease.isExpiring();
	}

	boolean seemsMissing() {
		return this.lease.renewals().missing();
	}

	LossReason lossReason() {
		return Objects.requireNonNull(this.lease.lossReason());
	}

	/** A result that no test reads. */
	static final class Ignored<T> extends CompletableFuture<T> implements Result<T> {

	}

}
