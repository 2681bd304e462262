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
import org.jspecify.annotations.Nullable;

/**
 * A lease as its runner drives it: each transition begins with the time.
 */
record Course(Lease lease) {

	static Course granted(LockRecord record, LeaseTerms terms) {
		return granted(record, terms, null);
	}

	/** The grant of a claim that was sent at zero. */
	static Course granted(LockRecord record, LeaseTerms terms, @Nullable Duration holdAtMost) {
		return new Course(Lease.granted(LockRequest.of(record.key()), Renewals.granted(record, terms, 0),
				Heartbeats.granted(0, Given.at(0)), holdAtMost, false, Given.at(0), new Ignored<>()));
	}

	Course at(ClockReading now) {
		return new Course(this.lease.at(now));
	}

	Course asked(Duration leaseDuration, ItemChange change) {
		return new Course(
				this.lease.renew(RenewRequest.create().leaseDuration(leaseDuration).change(change), new Ignored<>()));
	}

	/** Sends a heartbeat, or the read that settles whether the item is gone. */
	Course renewing(String version, ClockReading now) {
		return new Course(this.lease.at(now).sending(version, now));
	}

	/** The answer to the last call. */
	Course answered(Answer answer, ClockReading now) {
		var unresolved = this.lease.renewals().unresolved();
		String version = unresolved.isEmpty() ? "" : unresolved.get(unresolved.size() - 1).recordVersionNumber();
		return new Course(this.lease.at(now).answered(version, answer, now, 0.5));
	}

	Course lost(LossReason reason) {
		return new Course(this.lease.lost(reason));
	}

	/** The state from the beginning of the release on. */
	Course ending() {
		return new Course(this.lease.release(Ending.awaited(ReleaseRequest.create(), new Ignored<>()), Given.at(1)));
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
