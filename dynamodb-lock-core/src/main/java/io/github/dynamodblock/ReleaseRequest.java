/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Describes how to release a lock. Options that are not set come from the request that
 * acquired it, or from the client. Immutable and thread-safe.
 *
 * <pre>{@code
 * ReleaseOutcome outcome = lock.release(ReleaseRequest.create().bestEffort(true).waitTime(Duration.ofSeconds(2)));
 * }</pre>
 */
public final class ReleaseRequest {

	private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

	private static final ReleaseRequest DEFAULT = new ReleaseRequest(null, ItemChange.none(), DEFAULT_WAIT, false,
			null);

	private final @Nullable Boolean deleteOnRelease;

	private final ItemChange change;

	private final Duration waitTime;

	private final boolean bestEffort;

	private final @Nullable TransactWriteItemsRequest transaction;

	private ReleaseRequest(@Nullable Boolean deleteOnRelease, ItemChange change, Duration waitTime, boolean bestEffort,
			@Nullable TransactWriteItemsRequest transaction) {
		this.deleteOnRelease = deleteOnRelease;
		this.change = change;
		this.waitTime = waitTime;
		this.bestEffort = bestEffort;
		this.transaction = transaction;
	}

	/**
	 * {@return a request with default options}
	 */
	public static ReleaseRequest create() {
		return DEFAULT;
	}

	/**
	 * Sets whether the release deletes the lock's item; see
	 * {@link LockClientBuilder#deleteOnRelease}.
	 * @param deleteOnRelease whether to delete the item; the default is that of the
	 * request that acquired the lock
	 * @return the changed request
	 */
	public ReleaseRequest deleteOnRelease(boolean deleteOnRelease) {
		return new ReleaseRequest(deleteOnRelease, this.change, this.waitTime, this.bestEffort, this.transaction);
	}

	/**
	 * Sets how the release changes the application's part of the lock's item, which the
	 * next owner can read. The change is also made if the lease has expired, unless
	 * another client has acquired the lock since, or it was released when its
	 * {@link LockRequest#holdAtMost} was over. It is ignored if the item is deleted.
	 * @param change the change; the default keeps everything
	 * @return the changed request
	 */
	public ReleaseRequest change(ItemChange change) {
		return new ReleaseRequest(this.deleteOnRelease, Objects.requireNonNull(change, "change"), this.waitTime,
				this.bestEffort, this.transaction);
	}

	/**
	 * Sets how long the caller waits for DynamoDB's answer. Afterwards the client keeps
	 * retrying in the background until the lease has expired, for at least 10 seconds.
	 * @param waitTime the time, not negative; the default is 10 seconds
	 * @return the changed request
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ReleaseRequest waitTime(Duration waitTime) {
		Limits.checkWaitTime(waitTime);
		return new ReleaseRequest(this.deleteOnRelease, this.change, waitTime, this.bestEffort, this.transaction);
	}

	/**
	 * Sets whether a release that cannot be confirmed returns
	 * {@link ReleaseOutcome#UNCONFIRMED} and is logged, instead of throwing an exception.
	 * @param bestEffort whether to return; the default is {@code false}
	 * @return the changed request
	 */
	public ReleaseRequest bestEffort(boolean bestEffort) {
		return new ReleaseRequest(this.deleteOnRelease, this.change, this.waitTime, bestEffort, this.transaction);
	}

	/**
	 * As {@link #transactWrite(TransactWriteItemsRequest)}, with these items.
	 * @param items what to write, 1 to 99 items
	 * @return the changed request
	 */
	public ReleaseRequest transactWrite(Collection<TransactWriteItem> items) {
		return transactWrite(TransactWriteItemsRequest.builder().transactItems(items).build());
	}

	/**
	 * Sets items that are written in one transaction with the release: both commit, or
	 * neither. The rules and limits are those of
	 * {@link HeldLock#transactWrite(TransactWriteItemsRequest)}.
	 *
	 * <pre>{@code
	 * lock.release(ReleaseRequest.create().transactWrite(List.of(TransactWriteItem.builder().put(packed).build())));
	 * }</pre>
	 *
	 * <p>
	 * The release then ends in one of these ways:
	 * <ul>
	 * <li>{@link ReleaseOutcome#RELEASED}: the items are written, and the lock is
	 * free.</li>
	 * <li>{@link ReleaseOutcome#KEPT}: the items are written. The lock's
	 * {@link LockRequest#holdAtLeast} is not over, so that the client releases it
	 * later.</li>
	 * <li>{@link TransactionCanceledException}: a condition of the items does not hold.
	 * Nothing is written and the lock is held again, so that it can be released again.
	 * The same is true of a {@link LockStoreException}, except for the one below.</li>
	 * <li>{@link LockLostException}: the lock is lost, and nothing is written.</li>
	 * <li>{@link LockStoreException} which says that the release may have been committed
	 * or not: it was repeated until the lease ended or a condition of the items failed.
	 * The client sends nothing more, since a release without the items would break the
	 * rule, and neither does {@link HeldLock#close}. The lock expires with its lease, and
	 * a further release without items frees it.</li>
	 * <li>{@link LockStoreException} after the {@linkplain #waitTime wait time}, which
	 * says the same: the release continues in the background. If the items are refused
	 * then, the lock is held again until it is released or its handle is closed.</li>
	 * </ul>
	 *
	 * <p>
	 * Before {@link LockRequest#holdAtLeast} is over, the lock stays held after each of
	 * these exceptions but {@link LockLostException}, and can be released again.
	 *
	 * <p>
	 * {@link #bestEffort(boolean)} does not apply: each failure is thrown. A handle that
	 * was released or detached throws {@link IllegalStateException}.
	 * @param request what to write, 1 to 99 items and up to 4 MB, and options such as
	 * {@code clientRequestToken}
	 * @return the changed request
	 */
	public ReleaseRequest transactWrite(TransactWriteItemsRequest request) {
		return new ReleaseRequest(this.deleteOnRelease, this.change, this.waitTime, this.bestEffort,
				Objects.requireNonNull(request, "request"));
	}

	/**
	 * {@return whether the item is deleted, or empty if the request that acquired the
	 * lock decides}
	 */
	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.deleteOnRelease);
	}

	/**
	 * {@return how the release changes the item}
	 */
	public ItemChange change() {
		return this.change;
	}

	/**
	 * {@return how long the caller waits for DynamoDB's answer}
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * {@return whether a release that cannot be confirmed is only logged}
	 */
	public boolean bestEffort() {
		return this.bestEffort;
	}

	/**
	 * {@return what is written in one transaction with the release, or empty if the lock
	 * is released alone}
	 */
	public Optional<TransactWriteItemsRequest> transaction() {
		return Optional.ofNullable(this.transaction);
	}

	@Override
	public String toString() {
		String items = (this.transaction == null) ? "" : ", items=" + this.transaction.transactItems().size();
		return "ReleaseRequest[deleteOnRelease=" + this.deleteOnRelease + ", change=" + this.change + ", waitTime="
				+ this.waitTime + ", bestEffort=" + this.bestEffort + items + "]";
	}

}
