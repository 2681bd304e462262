/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Describes which lock to acquire, and how. Options that are not set come from the
 * client. Immutable and thread-safe: every method that sets an option returns a new
 * request. It throws {@link IllegalArgumentException} if the value is outside the limits
 * that its description states, as do methods that take a key that is not a valid
 * {@link LockKey}. Limits that depend on other options are checked when the lock is
 * acquired.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("orders-42").waitTime(Duration.ofSeconds(5));
 * HeldLock lock = client.acquire(request);
 * }</pre>
 */
public final class LockRequest {

	private final LockKey key;

	private final LockRequestOptions options;

	private LockRequest(LockKey key, LockRequestOptions options) {
		this.key = key;
		this.options = options;
	}

	/**
	 * Creates a request for a lock in a table without a sort key.
	 * @param key the lock's partition key
	 * @return the request, with the client's defaults
	 */
	public static LockRequest of(String key) {
		return of(LockKey.of(key));
	}

	/**
	 * Creates a request for a lock in a table with a sort key.
	 * @param partition the lock's partition key
	 * @param sort the lock's sort key
	 * @return the request, with the client's defaults
	 */
	public static LockRequest of(String partition, String sort) {
		return of(LockKey.of(partition, sort));
	}

	/**
	 * Creates a request for a lock.
	 * @param key the lock's key
	 * @return the request, with the client's defaults
	 */
	public static LockRequest of(LockKey key) {
		return new LockRequest(Objects.requireNonNull(key, "key"), new LockRequestOptions());
	}

	/**
	 * Sets the name of this kind of lock for metrics and listings, such as
	 * {@code "orders"} for the locks of all orders. It is stored in the lock's item and
	 * is not part of the key. Use few names, without identifiers.
	 * @param name the name, not blank
	 * @return the changed request
	 */
	public LockRequest name(String name) {
		if (Objects.requireNonNull(name, "name").isBlank()) {
			throw new IllegalArgumentException(
					"name is blank; use the name of this kind of lock for metrics, or omit it");
		}
		return with((options) -> options.name = name);
	}

	private LockRequest with(Consumer<LockRequestOptions> change) {
		return new LockRequest(this.key, this.options.with(change));
	}

	/**
	 * Sets how long to wait while another owner holds the lock. Zero means one attempt. A
	 * time beyond the range of {@link System#nanoTime()}, such as
	 * {@code Duration.ofSeconds(Long.MAX_VALUE)}, means indefinitely.
	 * @param waitTime the time, not negative
	 * @return the changed request
	 */
	public LockRequest waitTime(Duration waitTime) {
		Limits.checkWaitTime(waitTime);
		return with((options) -> options.waitTime = waitTime);
	}

	/**
	 * Sets the lease: how long the lock outlives its last heartbeat.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 * @return the changed request. Unless it sets a heartbeat period and an expiry
	 * warning, the client's are scaled with the lease.
	 */
	public LockRequest leaseDuration(Duration leaseDuration) {
		Limits.checkLease(leaseDuration);
		return with((options) -> options.leaseDuration = leaseDuration);
	}

	/**
	 * Sets the time between two heartbeats.
	 * @param heartbeatPeriod the time, at least 10 ms. It must be at most half the lease,
	 * which is checked when the lock is acquired.
	 * @return the changed request
	 */
	public LockRequest heartbeatPeriod(Duration heartbeatPeriod) {
		Limits.checkHeartbeat(heartbeatPeriod);
		return with((options) -> options.heartbeatPeriod = heartbeatPeriod);
	}

	/**
	 * Sets whether background heartbeats renew the lock. Without them, the lock is held
	 * for one lease unless {@link HeldLock#renew()} is called in time, and
	 * {@link #holdAtLeast} cannot be longer than that.
	 * @param automaticRenewal whether heartbeats renew the lock; the default is
	 * {@code true}
	 * @return the changed request
	 */
	public LockRequest automaticRenewal(boolean automaticRenewal) {
		return with((options) -> options.automaticRenewal = automaticRenewal);
	}

	/**
	 * Sets how long before its loss a lock counts as expiring, and
	 * {@link LockListener#onExpiring} is called.
	 * @param expiryWarning the time, positive. It must leave time for a heartbeat, which
	 * is checked when the lock is acquired.
	 * @return the changed request
	 */
	public LockRequest expiryWarning(Duration expiryWarning) {
		Limits.checkExpiryWarning(expiryWarning);
		return with((options) -> options.expiryWarning = expiryWarning);
	}

	/**
	 * Sets the time between two polls of a lock that another client holds. A poll costs
	 * half a read unit.
	 * @param pollInterval the time, from 10 ms to 1 hour; the default is the client's
	 * @return the changed request
	 */
	public LockRequest pollInterval(Duration pollInterval) {
		Limits.checkPollInterval(pollInterval);
		return with((options) -> options.pollInterval = pollInterval);
	}

	/**
	 * Sets the time, counted from the grant, during which the lock stays held even if it
	 * is released earlier.
	 * @param holdAtLeast the time, from zero to 365 days; the default is zero
	 * @return the changed request
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		Limits.checkHoldAtLeast(holdAtLeast);
		return with((options) -> options.holdAtLeast = holdAtLeast);
	}

	/**
	 * Sets the time, counted from the grant, after which the lock is lost even though its
	 * holder has not released it. Use it for work that may hang: without a limit,
	 * heartbeats keep the lock until the process ends.
	 *
	 * <p>
	 * Once the limit is reached, the lock is lost ({@link LossReason#HELD_TOO_LONG}) and
	 * the client releases it in the background, with {@link #changeAtLimit}. The work
	 * itself is not stopped: it may still be running when another client acquires the
	 * lock. If DynamoDB cannot be reached, the lock expires with its lease.
	 *
	 * <p>
	 * The time is measured by the holder's clock and includes the time for which the
	 * machine is suspended, where the system reports it. {@link HeldLock#renew()} does
	 * not extend it, and {@link HeldLock#detach()} ends it.
	 * @param holdAtMost the time, at least 100 ms and not shorter than
	 * {@link #holdAtLeast}, which is checked when the lock is acquired. A time beyond the
	 * range of {@link System#nanoTime()} means no limit.
	 * @return the changed request
	 */
	public LockRequest holdAtMost(Duration holdAtMost) {
		Limits.checkHoldAtMost(holdAtMost);
		return with((options) -> options.holdAtMost = holdAtMost);
	}

	/**
	 * Sets whether to poll for up to one lease beyond the wait time to take over from an
	 * owner that seems to have crashed ({@link LockRecord#isOwnerSilent}). A job that
	 * only tries then runs at the first tick after a crash. If the lock changes, its
	 * owner is alive and the lock is refused. An owner whose lease is longer than this
	 * request's is not awaited. A wrong wall clock costs a heartbeat period of polling,
	 * or hides the crash; it never decides who holds the lock.
	 * @param awaitSilentOwner whether to poll; the default is {@code false}
	 * @return the changed request
	 */
	public LockRequest awaitSilentOwner(boolean awaitSilentOwner) {
		return with((options) -> options.awaitSilentOwner = awaitSilentOwner);
	}

	/**
	 * Makes the acquisition idempotent for an owner, and turns mutual exclusion off among
	 * all requests with this owner name. While the owner holds the lock in any process,
	 * or keeps it by {@link #holdAtLeast}, its next request is granted at once, with a
	 * greater fencing token. The previous handle is lost. A handle of another client
	 * detects that with its next heartbeat ({@link LossReason#STOLEN}); until then, both
	 * believe that they hold the lock.
	 * @param ownerName the exact owner name to hold the lock under, not empty. It must be
	 * unique to one unit of work.
	 * @return the changed request
	 */
	public LockRequest idempotentFor(String ownerName) {
		Limits.checkOwnerName("idempotentFor", ownerName);
		return with((options) -> options.idempotentFor = ownerName);
	}

	/**
	 * Sets whether the acquisition succeeds only if the lock has an item already, held or
	 * released. Without an item it is refused at once, whatever the wait time.
	 * @param onlyIfItemExists whether an item is required; the default is {@code false}
	 * @return the changed request
	 */
	public LockRequest onlyIfItemExists(boolean onlyIfItemExists) {
		return with((options) -> options.onlyIfItemExists = onlyIfItemExists);
	}

	/**
	 * Sets a condition on the application's attributes in the lock's item. It is checked
	 * by the same write that acquires the lock, also when the lock is taken over from a
	 * crashed owner. It may therefore test what the request's {@link #change} sets: of
	 * all requests with one value, at most one is granted. Heartbeats and releases do not
	 * check it.
	 *
	 * <p>
	 * If no other client holds the lock and the condition does not hold, the acquisition
	 * ends at once with {@link ConditionNotMetException}, or empty. While another client
	 * holds the lock, the request waits as usual, whatever the item's attributes are.
	 * @param condition the condition; replaces one that was set before
	 * @return the changed request
	 */
	public LockRequest condition(ItemCondition condition) {
		Objects.requireNonNull(condition, "condition");
		return with((options) -> options.condition = condition);
	}

	/**
	 * Sets whether a release deletes the lock's item; see
	 * {@link LockClientBuilder#deleteOnRelease}.
	 * @param deleteOnRelease whether to delete the item; the default is the client's
	 * @return the changed request
	 */
	public LockRequest deleteOnRelease(boolean deleteOnRelease) {
		return with((options) -> options.deleteOnRelease = deleteOnRelease);
	}

	/**
	 * Sets whether the lock's item is kept, with the application's attributes, whatever
	 * the client's options are: releases do not delete it, and it has no time to live.
	 * @param keepItem whether the item is kept; the default is {@code false}
	 * @return the changed request
	 */
	public LockRequest keepItem(boolean keepItem) {
		return with((options) -> options.keepItem = keepItem);
	}

	/**
	 * Sets bytes to store in the lock's item, which other clients can read. An item above
	 * 1 KB costs more than one write unit at every acquisition, heartbeat and release.
	 * @param data the bytes, copied
	 * @return the changed request
	 */
	public LockRequest data(byte[] data) {
		return change(change().data(data), undo());
	}

	/**
	 * Sets how the acquisition changes the application's part of the lock's item, which
	 * includes the data. Replaces what {@link #data} has set before. By default, the
	 * previous owner's data is removed and the application's attributes are kept.
	 * @param change the change; {@link ItemChange#none()} also keeps the data
	 * @return the changed request
	 */
	public LockRequest change(ItemChange change) {
		return change(change, ItemChange.none());
	}

	/**
	 * As {@link #change(ItemChange)}, with a change that the release makes as a best
	 * effort if no caller receives the lock, because of an interrupt or a late answer.
	 * @param undo what the release changes; ignored if it deletes the item
	 * @return the changed request
	 */
	public LockRequest change(ItemChange change, ItemChange undo) {
		return with((options) -> {
			options.change = Objects.requireNonNull(change, "change");
			options.undo = Objects.requireNonNull(undo, "undo");
		});
	}

	/**
	 * Sets how the release that follows {@link #holdAtMost} changes the application's
	 * part of the lock's item. It is ignored if the item is deleted.
	 * @param change the change; the default keeps everything
	 * @return the changed request
	 */
	public LockRequest changeAtLimit(ItemChange change) {
		return with((options) -> options.changeAtLimit = Objects.requireNonNull(change, "change"));
	}

	/**
	 * Sets whether {@link LockClient#close()} releases the lock if its handle is open. If
	 * not, the lock expires with its lease, to protect work that has not ended by then.
	 * @param releaseOnClose whether to release it; the default is {@code true}
	 * @return the changed request
	 */
	public LockRequest releaseOnClose(boolean releaseOnClose) {
		return with((options) -> options.releaseOnClose = releaseOnClose);
	}

	/**
	 * Adds a listener for this lock, in addition to the client's listeners and to those
	 * that were added before.
	 * @param listener the listener
	 * @return the changed request
	 */
	public LockRequest listener(LockListener listener) {
		Objects.requireNonNull(listener, "listener");
		return with((options) -> options.listeners = Stream.concat(options.listeners.stream(), Stream.of(listener))
			.toList());
	}

	/**
	 * {@return the lock's key}
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * {@return the name for metrics and listings, or empty if it is not set}
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.options.name);
	}

	/**
	 * {@return the wait time, or empty if it is the client's}
	 */
	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.options.waitTime);
	}

	/**
	 * {@return the lease, or empty if it is the client's}
	 */
	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.options.leaseDuration);
	}

	/**
	 * {@return the time between two heartbeats, or empty if it is the client's}
	 */
	public Optional<Duration> heartbeatPeriod() {
		return Optional.ofNullable(this.options.heartbeatPeriod);
	}

	/**
	 * {@return whether background heartbeats renew the lock}
	 */
	public boolean automaticRenewal() {
		return this.options.automaticRenewal;
	}

	/**
	 * {@return how long before its loss the lock counts as expiring, or empty if it is
	 * the client's}
	 */
	public Optional<Duration> expiryWarning() {
		return Optional.ofNullable(this.options.expiryWarning);
	}

	/**
	 * {@return the time between two polls, or empty if it is the client's}
	 */
	public Optional<Duration> pollInterval() {
		return Optional.ofNullable(this.options.pollInterval);
	}

	/**
	 * {@return how long the lock stays held at least}
	 */
	public Duration holdAtLeast() {
		return this.options.holdAtLeast;
	}

	/**
	 * {@return how long the lock is held at most, or empty if it is the client's limit}
	 */
	public Optional<Duration> holdAtMost() {
		return Optional.ofNullable(this.options.holdAtMost);
	}

	/**
	 * {@return whether to wait for an owner that seems to have crashed}
	 */
	public boolean awaitSilentOwner() {
		return this.options.awaitSilentOwner;
	}

	/**
	 * {@return the owner for which the acquisition is idempotent, or empty if the client
	 * is the owner}
	 */
	public Optional<String> idempotentFor() {
		return Optional.ofNullable(this.options.idempotentFor);
	}

	/**
	 * {@return whether the lock must have an item already}
	 */
	public boolean onlyIfItemExists() {
		return this.options.onlyIfItemExists;
	}

	/**
	 * {@return the condition on the item's attributes, or empty if there is none}
	 */
	public Optional<ItemCondition> condition() {
		return Optional.ofNullable(this.options.condition);
	}

	/**
	 * {@return whether a release deletes the item, or empty if it is the client's option}
	 */
	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.options.deleteOnRelease);
	}

	/**
	 * {@return whether the item is kept whatever the client's options are}
	 */
	public boolean keepItem() {
		return this.options.keepItem;
	}

	/**
	 * {@return a copy of the bytes to store, or empty if there are none}
	 */
	public Optional<byte[]> data() {
		return change().data();
	}

	/**
	 * {@return how the acquisition changes the application's part of the lock's item}
	 */
	public ItemChange change() {
		return this.options.change;
	}

	/**
	 * {@return how the release of a lock that no caller received changes the item}
	 */
	public ItemChange undo() {
		return this.options.undo;
	}

	/**
	 * {@return how the release after the limit changes the item}
	 */
	public ItemChange changeAtLimit() {
		return this.options.changeAtLimit;
	}

	/**
	 * {@return whether closing the client releases the lock}
	 */
	public boolean releaseOnClose() {
		return this.options.releaseOnClose;
	}

	/**
	 * {@return the listeners for this lock, in the order in which they were added}
	 */
	public List<LockListener> listeners() {
		return this.options.listeners;
	}

	@Override
	public String toString() {
		return "LockRequest[key=" + this.key + ", name=" + this.options.name + ", waitTime=" + this.options.waitTime
				+ ", leaseDuration=" + this.options.leaseDuration + ", heartbeatPeriod=" + this.options.heartbeatPeriod
				+ ", holdAtLeast=" + this.options.holdAtLeast + ", holdAtMost=" + this.options.holdAtMost + ", change="
				+ this.options.change + ", condition=" + this.options.condition + "]";
	}

}
