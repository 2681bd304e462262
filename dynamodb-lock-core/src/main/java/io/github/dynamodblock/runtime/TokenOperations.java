/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.ForcedRelease;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.protocol.lease.Release;
import io.github.dynamodblock.protocol.lease.TokenRenewal;
import io.github.dynamodblock.runtime.environment.Environment;

/**
 * Renews and releases locks that no handle of this client holds: by their token, or by
 * force. Thread-safe.
 */
final class TokenOperations {

	private final ClientState client;

	TokenOperations(ClientState client) {
		this.client = client;
	}

	/**
	 * Renews a lock by its token.
	 * @return the next token; fails if the lock is lost or the renewal is not confirmed
	 */
	CompletableFuture<LockToken> renew(LockToken token, RenewRequest request) {
		this.client.settings().rules().checkKey(token.key());
		checkChange(token, request.change());
		HeldLease lease = presented(token).asked(request.leaseDuration().orElse(token.leaseDuration()),
				request.change());
		CompletableFuture<LockToken> renewed = this.client.pendingFutures().make();
		run(new TokenRenewal(lease, this.client.environment().randomness()), (end) -> {
			if (end instanceof Step.Renewed renewal) {
				renewed.complete(new LockToken(token.key(), token.ownerName(), renewal.record().recordVersionNumber(),
						token.fencingToken(), renewal.record().leaseDuration()));
			}
			else {
				renewed.completeExceptionally(failure(token, end));
			}
		});
		return renewed;
	}

	/**
	 * Releases a lock by its token.
	 * @return the outcome; fails if it is not known
	 */
	CompletableFuture<ReleaseOutcome> release(LockToken token) {
		this.client.settings().rules().checkKey(token.key());
		return released(Release.byToken(presented(token), this.client.settings().deleteOnRelease(),
				this.client.environment().randomness()));
	}

	/**
	 * Releases another owner's lock.
	 * @return the outcome; fails if it is not known
	 */
	CompletableFuture<ReleaseOutcome> forceRelease(LockKey key, String expectedOwner) {
		this.client.settings().rules().checkKey(key);
		return released(new ForcedRelease(key, expectedOwner, this.client.settings().lease(),
				this.client.settings().deleteOnRelease(), this.client.environment().randomness()));
	}

	private CompletableFuture<ReleaseOutcome> released(Operation release) {
		CompletableFuture<ReleaseOutcome> outcome = this.client.pendingFutures().make();
		run(release, (end) -> {
			if (end instanceof Step.Released released) {
				outcome.complete(released.outcome());
			}
			else {
				outcome.completeExceptionally(((Step.Failed) end).failure());
			}
		});
		return outcome;
	}

	private HeldLease presented(LockToken token) {
		LeaseTerms terms = this.client.settings().lease().withLeaseDuration(token.leaseDuration());
		return HeldLease.presented(token, terms, this.client.environment().now());
	}

	private void checkChange(LockToken token, ItemChange change) {
		if (change.replacesAttributes()) {
			throw new IllegalArgumentException("The renewal of lock '" + token.key()
					+ "' by its token cannot replace all attributes, since the client has not read them; set and "
					+ "remove attributes by name, or adopt the lock");
		}
		this.client.settings().rules().checkChange(token.key(), change);
		this.client.settings()
			.rules()
			.checkSize(HeldLease.presented(token, this.client.settings().lease(), this.client.environment().now())
				.expected(change));
	}

	private static LockException failure(LockToken token, Step.End end) {
		return (end instanceof Step.Lost lost) ? new LockLostException(token.key(), lost.reason(), token.fencingToken())
				: ((Step.Failed) end).failure();
	}

	private void run(Operation operation, Consumer<Step.End> end) {
		Environment environment = this.client.environment();
		new OperationRunner(operation, environment, environment.promptCalls(), end).begin();
	}

}
