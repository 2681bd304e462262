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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Describes which lock to acquire, and how. Options that are not set come from the
 * client. Immutable and thread-safe: every method that sets an option returns a new
 * request. Methods throw {@link IllegalArgumentException} if a value is outside its
 * documented limits or a key is not a valid {@link LockKey}. Limits that depend on other
 * options are checked when the lock is acquired. A method without a parameter returns an
 * option: the value that was set, its default, or an empty {@code Optional}.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("orders-42").waitTime(Duration.ofSeconds(5));
 * HeldLock lock = client.acquire(request);
 * }</pre>
 */
public final class LockRequest {

	/** Shared by all requests without options, because a client may hold many locks. */
	private static final LockRequestOptions DEFAULTS = new LockRequestOptions();

	private final LockKey key;

	private final LockRequestOptions options;

	private LockRequest(LockKey key, LockRequestOptions options) {
		this.key = key;
		this.options = options;
	}

	/** Creates a request for a lock in a table without a sort key. */
	public static LockRequest of(String key) {
		return of(LockKey.of(key));
	}

	/** Creates a request for a lock in a table with a sort key. */
	public static LockRequest of(String partition, String sort) {
		return of(LockKey.of(partition, sort));
	}

	/** Creates a request for a lock. */
	public static LockRequest of(LockKey key) {
		return new LockRequest(Objects.requireNonNull(key, "key"), DEFAULTS);
	}

	/**
	 * Sets the name of this kind of lock for metrics and listings, such as
	 * {@code "orders"} for the locks of all orders. It is stored in the lock's item and
	 * is not part of the key. Use few names, without identifiers.
	 * @param name the name, not blank
	 */
	public LockRequest name(String name) {
		if (Objects.requireNonNull(name, "name").isBlank()) {
			throw new IllegalArgumentException(
					"name is blank; set the name that metrics use for this kind of lock, or omit it");
		}
		return with((options) -> options.name = name);
	}

	/**
	 * Sets how many owners may hold the lock at the same time, across all clients. With
	 * several permits, the lock is a semaphore. It has one <em>slot</em> for each permit,
	 * and each owner holds one slot. Slots are ordinary locks with the keys
	 * {@link LockKey#slot}. A crashed owner's slot can be taken over after its lease.
	 * {@link HeldLock#key()} shows the slot.
	 *
	 * <p>
	 * All clients should use the same number. If they differ, for example during a
	 * deployment, the largest applies. A decrease takes effect once all clients use it
	 * and the extra slots are released. A request with one permit is for a separate lock,
	 * not for one of the slots.
	 * @param permits the number, from 1 to 100; the default is 1, an ordinary lock
	 */
	public LockRequest permits(int permits) {
		return with((options) -> options.permits = Limits.checkPermits(permits));
	}

	/**
	 * Returns the request for only one slot of a semaphore, for example to adopt its
	 * lock. With one permit, this is the request itself.
	 * @param slot the number of the slot, from 0 to the number of permits minus 1
	 */
	public LockRequest slot(int slot) {
		int checked = Limits.checkSlot(slot, permits());
		return (permits() == 1) ? this
				: new LockRequest(this.key.slot(checked), this.options.with((options) -> options.permits = 1));
	}

	private LockRequest with(Consumer<LockRequestOptions> change) {
		return new LockRequest(this.key, this.options.with(change));
	}

	/**
	 * Sets how long to wait while another owner holds the lock. Zero means one attempt. A
	 * time beyond the range of {@link System#nanoTime()}, such as
	 * {@code Duration.ofSeconds(Long.MAX_VALUE)}, means indefinitely.
	 * @param waitTime the time, not negative
	 */
	public LockRequest waitTime(Duration waitTime) {
		return with((options) -> options.waitTime = Limits.checkWaitTime(waitTime));
	}

	/**
	 * Sets the lease: how long the lock outlives its last heartbeat. The client's expiry
	 * warning is scaled with it, and so is its heartbeat period unless the request sets
	 * one.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 */
	public LockRequest leaseDuration(Duration leaseDuration) {
		return with((options) -> options.leaseDuration = Limits.checkLease(leaseDuration));
	}

	/**
	 * Sets the time between two heartbeats.
	 * @param heartbeatPeriod the time, at least 10 ms and at most half the lease; the
	 * upper limit is checked when the lock is acquired
	 */
	public LockRequest heartbeatPeriod(Duration heartbeatPeriod) {
		return with((options) -> options.heartbeatPeriod = Limits.checkHeartbeat(heartbeatPeriod));
	}

	/**
	 * Sets whether background heartbeats renew the lock. Without them, the lock is held
	 * for one lease unless {@link HeldLock#renew()} is called in time, and
	 * {@link #holdAtLeast} cannot be longer than that. The default is {@code true}.
	 */
	public LockRequest automaticRenewal(boolean automaticRenewal) {
		return with((options) -> options.automaticRenewal = automaticRenewal);
	}

	/**
	 * Sets the time between two polls of a lock that another client holds. A poll costs
	 * half a read unit.
	 * @param pollInterval the time, from 10 ms to 1 hour
	 */
	public LockRequest pollInterval(Duration pollInterval) {
		return with((options) -> options.pollInterval = Limits.checkPollInterval(pollInterval));
	}

	/**
	 * Sets the time, counted from the grant, during which the lock stays held even if it
	 * is released earlier.
	 * @param holdAtLeast the time, from zero to 365 days; the default is zero
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		return with((options) -> options.holdAtLeast = Limits.checkHoldAtLeast(holdAtLeast));
	}

	/**
	 * Sets the time, counted from the grant, after which the lock is lost even though its
	 * holder has not released it. Use it for work that may hang: without a limit,
	 * heartbeats keep the lock until the process ends.
	 *
	 * <p>
	 * Once the limit is reached, the lock is lost ({@link LossReason#HELD_TOO_LONG}) and
	 * the client releases it in the background, with {@link KeptItem#changeAtLimit}. The
	 * work itself is not stopped: it may still be running when another client acquires
	 * the lock. If DynamoDB cannot be reached, the lock expires with its lease.
	 *
	 * <p>
	 * The time is measured by the holder's clock and includes the time for which the
	 * machine is suspended, where the system reports it. {@link HeldLock#renew()} does
	 * not extend it. After {@link HeldLock#detach()}, there is no limit.
	 * @param holdAtMost the time, at least 100 ms and not shorter than
	 * {@link #holdAtLeast}, which is checked when the lock is acquired. A time beyond the
	 * range of {@link System#nanoTime()} means no limit.
	 */
	public LockRequest holdAtMost(Duration holdAtMost) {
		return with((options) -> options.holdAtMost = Limits.checkHoldAtMost(holdAtMost));
	}

	/**
	 * Sets whether the client keeps polling after the wait time, for up to one lease, if
	 * the owner seems to have crashed ({@link LockRecord#isOwnerSilent}). It takes the
	 * lock over when the owner's lease expires. A job that makes only one attempt thus
	 * runs at the first tick after a crash. If the lock's item changes in the meantime,
	 * the owner is alive or the lock has a new owner, so the request is refused. The
	 * client does not wait if the takeover would take longer than this request's lease.
	 * The default is {@code false}.
	 *
	 * <p>
	 * A wrong wall clock never decides who holds the lock. At worst, the client polls in
	 * vain for one heartbeat period, or does not notice the crash.
	 */
	public LockRequest awaitSilentOwner(boolean awaitSilentOwner) {
		return with((options) -> options.awaitSilentOwner = awaitSilentOwner);
	}

	/**
	 * Sets whether the lock must already have an item, held or released. Without an item,
	 * the acquisition is refused at once, whatever the wait time. The default is
	 * {@code false}.
	 */
	public LockRequest onlyIfItemExists(boolean onlyIfItemExists) {
		return with((options) -> options.onlyIfItemExists = onlyIfItemExists);
	}

	/**
	 * Sets a condition on the application's attributes in the lock's item. It is checked
	 * by the same write that acquires the lock, also when the lock is taken over from a
	 * crashed owner. A condition can therefore test an attribute that the same request
	 * {@linkplain #change changes}, so that only the first of several equal requests is
	 * granted. Heartbeats and releases do not check it.
	 *
	 * <p>
	 * If no other client holds the lock and the item does not meet the condition, the
	 * acquisition ends at once, with {@link ConditionNotMetException} or an empty result.
	 * While another client holds the lock, the request waits as usual. Replaces an
	 * earlier condition.
	 */
	public LockRequest condition(ItemCondition condition) {
		return with((options) -> options.condition = Objects.requireNonNull(condition, "condition"));
	}

	/**
	 * Sets whether a release deletes the lock's item; see
	 * {@link LockClientBuilder#deleteOnRelease}. A {@linkplain #keptItem kept} item is
	 * never deleted.
	 */
	public LockRequest deleteOnRelease(boolean deleteOnRelease) {
		return with((options) -> options.deleteOnRelease = deleteOnRelease);
	}

	/**
	 * Lets the acquisition mark the lock's item as kept: no client then deletes it, so
	 * the application's attributes remain. By default, the acquisition leaves an earlier
	 * mark as it is.
	 */
	public LockRequest keptItem(KeptItem keptItem) {
		return with((options) -> options.keptItem = Objects.requireNonNull(keptItem, "keptItem"));
	}

	/**
	 * Sets the data to store in the lock's item; see {@link ItemChange#data(byte[])}. The
	 * bytes are copied.
	 */
	public LockRequest data(byte[] data) {
		return change(change().data(data));
	}

	/**
	 * Sets how the acquisition changes the data and the application's attributes in the
	 * lock's item. Replaces earlier {@link #data}. By default, the previous owner's data
	 * is removed and the application's attributes are kept.
	 * @param change the change; {@link ItemChange#none()} also keeps the data
	 */
	public LockRequest change(ItemChange change) {
		return with((options) -> options.change = Objects.requireNonNull(change, "change"));
	}

	/**
	 * Sets whether {@link LockClient#close()} releases the lock if it is still held. The
	 * default is {@code true}. With {@code false}, the lock stays in the table until its
	 * lease expires, which protects work that is still running.
	 */
	public LockRequest releaseOnClose(boolean releaseOnClose) {
		return with((options) -> options.releaseOnClose = releaseOnClose);
	}

	/**
	 * Adds a listener for this lock, after the client's listeners and those that were
	 * added before.
	 */
	public LockRequest listener(LockListener listener) {
		Objects.requireNonNull(listener, "listener");
		return with((options) -> options.listeners = Stream.concat(options.listeners.stream(), Stream.of(listener))
			.toList());
	}

	public LockKey key() {
		return this.key;
	}

	public Optional<String> name() {
		return Optional.ofNullable(this.options.name);
	}

	public int permits() {
		return this.options.permits;
	}

	/**
	 * Returns the request's key, or the keys of all slots if the request has several
	 * permits.
	 */
	public List<LockKey> keys() {
		return (permits() == 1) ? List.of(this.key) : IntStream.range(0, permits()).mapToObj(this.key::slot).toList();
	}

	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.options.waitTime);
	}

	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.options.leaseDuration);
	}

	public Optional<Duration> heartbeatPeriod() {
		return Optional.ofNullable(this.options.heartbeatPeriod);
	}

	public boolean automaticRenewal() {
		return this.options.automaticRenewal;
	}

	public Optional<Duration> pollInterval() {
		return Optional.ofNullable(this.options.pollInterval);
	}

	public Duration holdAtLeast() {
		return this.options.holdAtLeast;
	}

	public Optional<Duration> holdAtMost() {
		return Optional.ofNullable(this.options.holdAtMost);
	}

	public boolean awaitSilentOwner() {
		return this.options.awaitSilentOwner;
	}

	public boolean onlyIfItemExists() {
		return this.options.onlyIfItemExists;
	}

	public Optional<ItemCondition> condition() {
		return Optional.ofNullable(this.options.condition);
	}

	public Optional<Boolean> deleteOnRelease() {
		return Optional.ofNullable(this.options.deleteOnRelease);
	}

	public Optional<KeptItem> keptItem() {
		return Optional.ofNullable(this.options.keptItem);
	}

	public ItemChange change() {
		return this.options.change;
	}

	public boolean releaseOnClose() {
		return this.options.releaseOnClose;
	}

	public List<LockListener> listeners() {
		return this.options.listeners;
	}

	@Override
	public String toString() {
		return "LockRequest[key=" + this.key + ", name=" + this.options.name + ", permits=" + this.options.permits
				+ ", waitTime=" + this.options.waitTime + ", leaseDuration=" + this.options.leaseDuration
				+ ", heartbeatPeriod=" + this.options.heartbeatPeriod + ", holdAtLeast=" + this.options.holdAtLeast
				+ ", holdAtMost=" + this.options.holdAtMost + ", change=" + this.options.change + ", condition="
				+ this.options.condition + "]";
	}

}
