/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Release;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.protocol.lease.RetriedRenewal;
import io.github.dynamodblock.protocol.lease.UnguardedChange;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;

/**
 * Renews and releases locks without a handle, by their token or by force, and changes
 * items without acquiring their locks. Thread-safe.
 */
public final class TokenOperations {

	private final ClientState client;

	private final Executor thread;

	public TokenOperations(ClientState client, Executor thread) {
		this.client = client;
		this.thread = thread;
	}

	/**
	 * {@return the next token; fails if the lock is lost or the renewal is not confirmed}
	 */
	public CompletableFuture<LockToken> renew(LockToken token, RenewRequest request) {
		this.client.settings().rules().checkKey(token.key());
		Renewals presented = presented(token);
		checkChange(presented.record(), request.change());
		Duration leaseDuration = request.leaseDuration().orElse(token.leaseDuration());
		return run(
				new RetriedRenewal(presented, leaseDuration, request.change(), this.client.environment().randomness()),
				(end) -> ((Step.Renewed) end).token());
	}

	/**
	 * {@return the outcome; fails if it is not known}
	 */
	public CompletableFuture<ReleaseOutcome> release(LockToken token) {
		this.client.settings().rules().checkKey(token.key());
		return released(new Release(presented(token), this.client.settings().deleteOnRelease(), ItemChange.none(),
				this.client.environment().randomness()));
	}

	/**
	 * {@return the outcome; fails if it is not known}
	 */
	public CompletableFuture<ReleaseOutcome> forceRelease(LockKey key, String expectedOwner) {
		this.client.settings().rules().checkKey(key);
		return released(Release.forced(key, expectedOwner, this.client.settings().lease(),
				this.client.settings().deleteOnRelease(), this.client.environment().randomness()));
	}

	private CompletableFuture<ReleaseOutcome> released(Operation release) {
		return run(release, (end) -> ((Step.Released) end).outcome());
	}

	/**
	 * {@return the lock after the change; fails if the change is not confirmed}
	 */
	public CompletableFuture<LockRecord> change(LockKey key, ItemChange change) {
		ClientSettings settings = this.client.settings();
		settings.rules().checkKey(key);
		LockRecord wanted = LockRecord.builder(key, settings.ownerName(), settings.lease().leaseDuration(), "").build();
		checkChange(wanted, change);
		return run(new UnguardedChange(wanted, change, settings.lease(), this.client.environment().randomness()),
				(end) -> ((Step.Changed) end).record());
	}

	private Renewals presented(LockToken token) {
		return Renewals.presented(token, this.client.settings().lease(), this.client.environment().now());
	}

	/**
	 * Checks a change of an item that the client has not read. The change may be
	 * repeated.
	 */
	private void checkChange(LockRecord known, ItemChange change) {
		if (!change.copies().isEmpty()) {
			throw new IllegalArgumentException("The change of lock '" + known.key()
					+ "' cannot copy attributes, because it may be repeated; to copy attributes, acquire or adopt "
					+ "the lock");
		}
		this.client.settings().rules().checkChange(known.key(), change);
		this.client.settings().rules().checkSize(known.toBuilder().change(change).build());
	}

	private <T> CompletableFuture<T> run(Operation operation, Function<Step.End, T> result) {
		Environment environment = this.client.environment();
		CompletableFuture<T> ended = new CompletableFuture<>();
		this.client.pending(ended);
		new OperationRunner(operation, environment, CallKind.RELEASE, this.thread, (end) -> {
			if (end instanceof Step.Failed failed) {
				ended.completeExceptionally(failed.failure());
			}
			else {
				ended.complete(result.apply(end));
			}
		}).begin();
		return ended;
	}

}
