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
 * request. It throws {@link IllegalArgumentException} if the value is outside the limits
 * that its description states, as do methods with a key that is not a valid
 * {@link LockKey}. Limits that depend on other options are checked when the lock is
 * acquired. Methods without a parameter return an option. If it is not set, they return
 * its default or an empty {@code Optional}.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("orders-42").waitTime(Duration.ofSeconds(5));
 * HeldLock lock = client.acquire(request);
 * }</pre>
 */
public final class LockRequest {

	/** Shared by all requests without options, since many locks may be held. */
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
	 * Sets how many owners may hold the lock at the same time, in all clients together:
	 * the lock is a semaphore. There are as many <em>slots</em> as permits, and each
	 * owner holds one of them. Slots are ordinary locks with the keys
	 * {@link LockKey#slot}. A crashed owner's slot can be taken over after its lease.
	 * {@link HeldLock#key()} shows the slot.
	 *
	 * <p>
	 * Clients should use the same number. If they do not, for example while a new version
	 * is deployed, the largest applies. A decrease takes effect once all clients use it
	 * and the extra slots are released. Slots are separate from the lock of a request
	 * with one permit.
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
	 * Sets the lease: how long the lock outlives its last heartbeat.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 * @return the changed request. The client's expiry warning is scaled with the lease,
	 * as is its heartbeat period, unless the request sets one.
	 */
	public LockRequest leaseDuration(Duration leaseDuration) {
		return with((options) -> options.leaseDuration = Limits.checkLease(leaseDuration));
	}

	/**
	 * Sets the time between two heartbeats.
	 * @param heartbeatPeriod the time, at least 10 ms. It must be at most half the lease,
	 * which is checked when the lock is acquired.
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
	 * Sets whether to poll for up to one lease beyond the wait time to take over from an
	 * owner that seems to have crashed ({@link LockRecord#isOwnerSilent}). Even a job
	 * that makes only one attempt then runs at the first tick after a crash. If the
	 * lock's item changes in the meantime, its owner is alive, and the request is
	 * refused. Does not wait if the takeover would take longer than this request's lease.
	 * A wrong wall clock never decides who holds the lock. It can only make the client
	 * poll in vain for a heartbeat period, or not notice the crash. The default is
	 * {@code false}.
	 */
	public LockRequest awaitSilentOwner(boolean awaitSilentOwner) {
		return with((options) -> options.awaitSilentOwner = awaitSilentOwner);
	}

	/**
	 * Sets whether the acquisition succeeds only if the lock has an item already, held or
	 * released. Without an item it is refused at once, whatever the wait time. The
	 * default is {@code false}.
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
	 * If no other client holds the lock and the condition does not hold, the acquisition
	 * ends at once with {@link ConditionNotMetException}, or empty. While another client
	 * holds the lock, the request waits as usual, whatever the item's attributes are.
	 * Replaces a condition that was set before.
	 */
	public LockRequest condition(ItemCondition condition) {
		return with((options) -> options.condition = Objects.requireNonNull(condition, "condition"));
	}

	/**
	 * Sets whether a release deletes the lock's item, unless that is
	 * {@linkplain #keptItem kept}; see {@link LockClientBuilder#deleteOnRelease}.
	 */
	public LockRequest deleteOnRelease(boolean deleteOnRelease) {
		return with((options) -> options.deleteOnRelease = deleteOnRelease);
	}

	/**
	 * Sets that the acquisition marks the lock's item as kept, with the application's
	 * attributes. By default, an earlier mark stays as it is.
	 */
	public LockRequest keptItem(KeptItem keptItem) {
		return with((options) -> options.keptItem = Objects.requireNonNull(keptItem, "keptItem"));
	}

	/**
	 * Sets bytes, which are copied, to store in the lock's item; see
	 * {@link ItemChange#data(byte[])}.
	 */
	public LockRequest data(byte[] data) {
		return change(change().data(data));
	}

	/**
	 * Sets how the acquisition changes the application's part of the lock's item, which
	 * includes the data. Replaces what {@link #data} has set before. By default, the
	 * previous owner's data is removed and the application's attributes are kept.
	 * @param change the change; {@link ItemChange#none()} also keeps the data
	 */
	public LockRequest change(ItemChange change) {
		return with((options) -> options.change = Objects.requireNonNull(change, "change"));
	}

	/**
	 * Sets whether {@link LockClient#close()} releases the lock if its handle is open. If
	 * not, the lock expires with its lease, to protect work that has not ended by then.
	 * The default is {@code true}.
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
