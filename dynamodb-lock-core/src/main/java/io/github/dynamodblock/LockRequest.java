/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What to acquire, and how. What is not set comes from the client. Immutable and
 * thread-safe: every method that sets something returns a new request.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("orders-42")
 *     .waitTime(Duration.ofSeconds(5))
 *     .leaseDuration(Duration.ofSeconds(30));
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
	 * A request for a lock in a table without a sort key.
	 * @param key the partition key of the lock
	 * @return the request, with everything else left to the client
	 * @throws IllegalArgumentException if the key is empty or too long
	 */
	public static LockRequest of(String key) {
		return of(LockKey.of(key));
	}

	/**
	 * Creates a request for a lock in a table with a sort key.
	 * @param partition the lock's partition key
	 * @param sort the lock's sort key
	 * @return the request, with the client's defaults
	 * @throws IllegalArgumentException if a part is empty or too long
	 */
	public static LockRequest of(String partition, String sort) {
		return of(LockKey.of(partition, sort));
	}

	/**
	 * A request for a lock.
	 * @param key the lock
	 * @return the request, with everything else left to the client
	 */
	public static LockRequest of(LockKey key) {
		return new LockRequest(Objects.requireNonNull(key, "key"), new LockRequestOptions());
	}

	/**
	 * Sets what metrics and lists call this kind of lock, such as {@code "orders"} for
	 * all orders' locks. It is stored in the lock's item but is not part of the key, so
	 * it does not affect who gets the lock. Use few names, and none that holds an
	 * identifier; a metric is kept for each.
	 * @param name the name, not blank
	 * @return a request with this name
	 * @throws IllegalArgumentException if the name is blank
	 */
	public LockRequest name(String name) {
		if (Objects.requireNonNull(name, "name").isBlank()) {
			throw new IllegalArgumentException("name is blank; give what metrics are to call this kind of lock, "
					+ "such as 'orders', or leave it out");
		}
		return with((options) -> options.name = name);
	}

	private LockRequest with(Consumer<LockRequestOptions> change) {
		LockRequestOptions changed = this.options.copy();
		change.accept(changed);
		return new LockRequest(this.key, changed);
	}

	/**
	 * Sets how long to wait while others hold the lock. Zero means one attempt. A time
	 * too long to be counted, such as {@code Duration.ofSeconds(Long.MAX_VALUE)}, means
	 * for ever.
	 * @param waitTime the time, not negative
	 * @return a request with this wait time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LockRequest waitTime(Duration waitTime) {
		LeaseLimits.checkWaitTime(waitTime);
		return with((options) -> options.waitTime = waitTime);
	}

	/**
	 * Sets how long the lock outlives its last heartbeat.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 * @return a request with this lease; without a heartbeat period or expiry warning of
	 * its own, it keeps the client's proportions of these to the lease
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public LockRequest leaseDuration(Duration leaseDuration) {
		LeaseLimits.checkLease(leaseDuration);
		return with((options) -> options.leaseDuration = leaseDuration);
	}

	/**
	 * Sets the time between two heartbeats.
	 * @param heartbeatPeriod the time, at least 10 ms; at most half the lease, which is
	 * checked when the lock is acquired
	 * @return a request with this heartbeat period
	 * @throws IllegalArgumentException if the time is less than 10 ms
	 */
	public LockRequest heartbeatPeriod(Duration heartbeatPeriod) {
		LeaseLimits.checkHeartbeat(heartbeatPeriod);
		return with((options) -> options.heartbeatPeriod = heartbeatPeriod);
	}

	/**
	 * Sets whether heartbeats in the background keep the lock. Without them it is held
	 * for one lease, unless {@link HeldLock#renew()} is called in time; it cannot be held
	 * longer than that by {@link #holdAtLeast}.
	 * @param automaticRenewal whether they do; {@code true} unless set
	 * @return a request that says so
	 */
	public LockRequest automaticRenewal(boolean automaticRenewal) {
		return with((options) -> options.automaticRenewal = automaticRenewal);
	}

	/**
	 * Sets how long before the lock would be lost {@link LockListener#onExpiring} is
	 * told.
	 * @param expiryWarning the time, positive; it must leave time for a heartbeat, which
	 * is checked when the lock is acquired
	 * @return a request with this threshold
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public LockRequest expiryWarning(Duration expiryWarning) {
		LeaseLimits.checkExpiryWarning(expiryWarning);
		return with((options) -> options.expiryWarning = expiryWarning);
	}

	/**
	 * Sets the time between two looks at a lock that another client holds. A look costs
	 * half a read unit.
	 * @param pollInterval the time, from 10 ms to 1 hour; unless set here or on the
	 * client, about 45 ms in the first second in which a holder is seen, then longer the
	 * longer it holds the lock, up to a fiftieth of its lease and 500 ms
	 * @return a request with this interval
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockRequest pollInterval(Duration pollInterval) {
		LeaseLimits.checkPollInterval(pollInterval);
		return with((options) -> options.pollInterval = pollInterval);
	}

	/**
	 * Sets how long, from the acquisition on, the lock stays held even if it is released
	 * earlier: the client keeps it until then. For short jobs which must not run twice on
	 * nodes whose clocks differ.
	 * @param holdAtLeast the time, from zero to 365 days
	 * @return a request with this time
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		LeaseLimits.checkHoldAtLeast(holdAtLeast);
		return with((options) -> options.holdAtLeast = holdAtLeast);
	}

	/**
	 * Sets how long, from the grant on, the lock is held at most, however long the
	 * guarded work takes. For work that may hang: without a limit, heartbeats keep the
	 * lock until the process ends.
	 *
	 * <p>
	 * Once the limit is reached, the lock is lost ({@link LossReason#HELD_TOO_LONG}):
	 * {@link HeldLock#isHeld()} is {@code false}, {@link LockListener#onLost} is called
	 * and heartbeats stop. The work itself is not stopped. Because it may still be
	 * running, the lock is not released early: other clients can acquire it when its
	 * lease expires, at most one lease later, or as soon as the holder calls
	 * {@link HeldLock#release()}.
	 *
	 * <p>
	 * The time is measured by the holder's clock, the machine's sleep included.
	 * {@link HeldLock#renew()} does not extend it, and {@link HeldLock#detach()} ends it.
	 * @param holdAtMost the time, at least 100 ms and not shorter than
	 * {@link #holdAtLeast}, which is checked when the lock is acquired; a time too long
	 * to be counted, such as {@code Duration.ofSeconds(Long.MAX_VALUE)}, means no limit
	 * @return a request with this limit
	 * @throws IllegalArgumentException if the time is shorter than 100 ms
	 */
	public LockRequest holdAtMost(Duration holdAtMost) {
		LeaseLimits.checkHoldAtMost(holdAtMost);
		return with((options) -> options.holdAtMost = holdAtMost);
	}

	/**
	 * Sets whether to poll for up to one lease beyond the wait time to take over from an
	 * owner that seems to have crashed ({@link LockRecord#isOwnerSilent}). A job that
	 * only tries then runs at the first tick after a crash. If the lock changes, its
	 * owner is alive and the lock is refused. An owner whose lease is longer than this
	 * request's is not awaited. A wrong wall clock costs a heartbeat period of polling,
	 * or hides the crash; it never decides who holds the lock.
	 * @param awaitSilentOwner whether to; {@code false} unless set
	 * @return a request that says so
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
	 * @param ownerName the exact owner name to hold the lock under, not empty; it must be
	 * unique to one unit of work
	 * @return a request for this owner
	 * @throws IllegalArgumentException if the name is empty
	 */
	public LockRequest idempotentFor(String ownerName) {
		OwnerName.checked(ownerName);
		return with((options) -> options.idempotentFor = ownerName);
	}

	/**
	 * Sets whether the acquisition succeeds only if the lock has an item already, held or
	 * released. Without an item it is refused at once, whatever the wait time.
	 * @param onlyIfItemExists whether an item is required; {@code false} unless set
	 * @return the changed request
	 */
	public LockRequest onlyIfItemExists(boolean onlyIfItemExists) {
		return with((options) -> options.onlyIfItemExists = onlyIfItemExists);
	}

	/**
	 * Sets whether a release deletes the lock's item instead of keeping it as released.
	 * Fencing tokens then increase only as far as the clocks of the owners agree.
	 * @param deleteOnRelease whether to delete; as the client does unless set
	 * @return a request that says so
	 */
	public LockRequest deleteOnRelease(boolean deleteOnRelease) {
		return with((options) -> options.deleteOnRelease = deleteOnRelease);
	}

	/**
	 * Sets bytes to store with the lock, for others to read. An item above 1 KB costs
	 * more than one write unit at every acquisition, heartbeat and release.
	 * @param data the bytes, copied
	 * @return a request with this data
	 */
	public LockRequest data(byte[] data) {
		return change(change().data(data));
	}

	/**
	 * Sets what the acquisition changes in the application's part of the lock's item,
	 * data included; replaces what {@link #data} has set before. Unless set, the data of
	 * the owner before is removed, and the application's attributes stay.
	 * @param change the change; {@link ItemChange#none()} keeps the data as well
	 * @return a request with this change
	 */
	public LockRequest change(ItemChange change) {
		return with((options) -> options.change = Objects.requireNonNull(change, "change"));
	}

	/**
	 * Sets who is told what happens to this lock, besides the client's listeners.
	 * @param listener the listener
	 * @return a request with this listener
	 */
	public LockRequest listener(LockListener listener) {
		return with((options) -> options.listener = Objects.requireNonNull(listener, "listener"));
	}

	/**
	 * {@return the lock}
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * {@return the name for metrics and lists, or empty if it has none}
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.options.name);
	}

	/**
	 * {@return how long to wait, or empty if it is left to the client}
	 */
	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.options.waitTime);
	}

	/**
	 * {@return the lease, or empty if it is left to the client}
	 */
	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.options.leaseDuration);
	}

	/**
	 * {@return the time between two heartbeats, or empty if it is left to the client}
	 */
	public Optional<Duration> heartbeatPeriod() {
		return Optional.ofNullable(this.options.heartbeatPeriod);
	}

	/**
	 * {@return whether heartbeats in the background keep the lock}
	 */
	public boolean automaticRenewal() {
		return this.options.automaticRenewal;
	}

	/**
	 * {@return how long before a loss it counts as expiring, or empty if it is left to
	 * the client}
	 */
	public Optional<Duration> expiryWarning() {
		return Optional.ofNullable(this.options.expiryWarning);
	}

	/**
	 * {@return the time between two polls, or empty if it is left to the client}
	 */
	public Optional<Duration> pollInterval() {
		return Optional.ofNullable(this.options.pollInterval);
	}

	/**
	 * {@return how long the lock stays held at least, zero unless set}
	 */
	public Duration holdAtLeast() {
		return this.options.holdAtLeast;
	}

	/**
	 * {@return how long the lock is held at most, or empty if it is left to the client}
	 */
	public Optional<Duration> holdAtMost() {
		return Optional.ofNullable(this.options.holdAtMost);
	}

	/**
	 * {@return whether to take over from an owner that seems to have crashed}
	 */
	public boolean awaitSilentOwner() {
		return this.options.awaitSilentOwner;
	}

	/**
	 * {@return the owner that the acquisition is idempotent for, or empty if it is held
	 * by the client}
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
	 * {@return whether a release deletes the item, or empty if it is left to the client}
	 */
	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.options.deleteOnRelease);
	}

	/**
	 * {@return a copy of the bytes to store with the lock, or empty if there are none}
	 */
	public Optional<byte[]> data() {
		return change().data();
	}

	/**
	 * What the acquisition changes in the application's part of the lock's item.
	 * @return the change
	 */
	public ItemChange change() {
		return this.options.change;
	}

	/**
	 * {@return the lock's listener, or empty if it has only the client's}
	 */
	public Optional<LockListener> listener() {
		return Optional.ofNullable(this.options.listener);
	}

	@Override
	public String toString() {
		return "LockRequest[key=" + this.key + ", name=" + this.options.name + ", waitTime=" + this.options.waitTime
				+ ", leaseDuration=" + this.options.leaseDuration + ", heartbeatPeriod=" + this.options.heartbeatPeriod
				+ ", holdAtLeast=" + this.options.holdAtLeast + ", holdAtMost=" + this.options.holdAtMost + ", change="
				+ this.options.change + "]";
	}

}
