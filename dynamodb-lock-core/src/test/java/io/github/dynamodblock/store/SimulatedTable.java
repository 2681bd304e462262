/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * A lock table in memory, which keeps the contract that DynamoDB keeps. It is fast enough
 * for thousands of simulated runs, and shows what DynamoDB hides: who changed what, and
 * the older versions that an eventually consistent read may give. Not thread-safe.
 */
public final class SimulatedTable implements LockStore {

	private static final String NAME = "simulated-locks";

	private static final int REMEMBERED_VERSIONS = 64;

	private final NavigableMap<LockKey, Item> items = new TreeMap<>(SimulatedTable::compare);

	/** What the items were before, the youngest first. */
	private final Map<LockKey, Deque<Replaced>> older = new HashMap<>();

	private final Changes changes;

	private final LongSupplier clock;

	private final InMemoryDynamoDb evaluation = InMemoryDynamoDb.withLockTable(NAME);

	/** The tokens of the transactions that were committed. */
	private final Set<String> committed = new HashSet<>();

	private boolean missing;

	/** Creates an empty table without a listener. */
	public SimulatedTable() {
		this((write, before, after) -> {
		}, () -> 0);
	}

	/**
	 * Creates an empty table.
	 * @param changes notified of every change
	 * @param clock the time of a change, in nanoseconds
	 */
	public SimulatedTable(Changes changes, LongSupplier clock) {
		this.changes = changes;
		this.clock = clock;
	}

	@Override
	public Answer send(Step.Call call) {
		if (this.missing) {
			return new Answer.Failed(tableMissing());
		}
		if (call instanceof Step.Write write) {
			return write(write.write());
		}
		if (call instanceof Step.Transact transact) {
			return transact(transact);
		}
		return (call instanceof Step.Mark mark) ? mark(mark) : found(((Step.Read) call).key());
	}

	private Answer mark(Step.Mark mark) {
		Item item = item(mark.key());
		if (item.lock() != null) {
			put(mark.key(), item.wantedBy(mark.waiting()));
		}
		return found(mark.key());
	}

	private Answer found(LockKey key) {
		return seen(key, item(key), Answer.Found::new);
	}

	private Answer write(LockWrite write) {
		Item before = item(write.key());
		if (!isAllowed(write, before)) {
			return seen(write.key(), before, Answer.Refused::new);
		}
		Item after = after(write, before);
		put(write.key(), after);
		this.changes.changed(write, before.lock(), after.lock());
		boolean shown = write instanceof LockWrite.Claim || write instanceof LockWrite.Change;
		return new Answer.Applied(shown ? after.lock() : null, before.wantedBy());
	}

	/**
	 * An eventually consistent read that some writes have not reached.
	 * @param key the lock
	 * @param changesBack how many changes are missing; fewer if there were not so many
	 * @return the answer
	 */
	public Answer readOld(LockKey key, int changesBack) {
		if (this.missing) {
			return new Answer.Failed(tableMissing());
		}
		return readOld(key, this.older.getOrDefault(key, new ArrayDeque<>()).stream().limit(changesBack));
	}

	/**
	 * An eventually consistent read of a replica that lags behind.
	 * @param key the lock
	 * @param time what the table was then is read
	 * @return the answer
	 */
	public Answer readAsOf(LockKey key, long time) {
		if (this.missing) {
			return new Answer.Failed(tableMissing());
		}
		return readOld(key,
				this.older.getOrDefault(key, new ArrayDeque<>()).stream().takeWhile((old) -> old.at() > time));
	}

	/** Undoes these changes, the youngest first. */
	private Answer readOld(LockKey key, Stream<Replaced> undone) {
		Item found = undone.reduce((younger, older) -> older).map(Replaced::item).orElseGet(() -> item(key));
		return seen(key, found, Answer.Found::new);
	}

	@Override
	public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
		throw new UnsupportedOperationException("Simulated clients list nothing");
	}

	private Answer transact(Step.Transact transact) {
		SimulatedTransaction transaction = (SimulatedTransaction) transact.transaction();
		if (this.committed.contains(transaction.token())) {
			return new Answer.Committed(transaction.token());
		}
		Guard guard = transact.guard();
		if (!holds(guard)) {
			return new Answer.Refused(item(guard.key()).lock());
		}
		if (!transaction.condition().getAsBoolean()) {
			return new Answer.Cancelled(new IllegalStateException("the application's condition does not hold"));
		}
		transaction.commit().run();
		this.committed.add(transaction.token());
		return new Answer.Committed(transaction.token());
	}

	private boolean holds(Guard guard) {
		LockRecord lock = item(guard.key()).lock();
		return lock != null && !lock.isReleased() && lock.ownerName().equals(guard.ownerName())
				&& lock.fencingToken().equals(OptionalLong.of(guard.fencingToken()));
	}

	/**
	 * Returns what a condition for the application's transactions asks for.
	 * @param key the lock
	 */
	public static Guard guard(LockKey key, ConditionCheck check) {
		Map<String, AttributeValue> values = check.expressionAttributeValues();
		return new Guard(key, Objects.requireNonNull(values.get(":owner")).s(),
				Long.parseLong(Objects.requireNonNull(values.get(":token")).n()));
	}

	/**
	 * Writes data of the application in one transaction with the condition that the lock
	 * is held under this token.
	 * @return whether it was applied
	 */
	public boolean guardedWrite(Guard guard) {
		return !this.missing && holds(guard);
	}

	/**
	 * Returns the lock as it is now.
	 * @param key the lock
	 * @return its record, or {@code null} if there is none
	 */
	public @Nullable LockRecord lock(LockKey key) {
		return item(key).lock();
	}

	/**
	 * Deletes a lock's item, as an administrator does.
	 * @param key the lock
	 */
	public void delete(LockKey key) {
		LockRecord before = item(key).lock();
		put(key, Item.NONE);
		this.changes.changed(null, before, null);
	}

	/**
	 * Returns whether time to live may delete a lock's item at some time.
	 * @param key the lock
	 */
	boolean hasTimeToLive(LockKey key) {
		return item(key).expiresAt() != null;
	}

	/**
	 * Deletes a lock's item if it has expired, as time to live does.
	 * @param key the lock
	 * @param now DynamoDB's clock
	 */
	public void expire(LockKey key, Instant now) {
		Instant expiresAt = item(key).expiresAt();
		if (expiresAt != null && expiresAt.isBefore(now)) {
			delete(key);
		}
	}

	/** Deletes the table with all items. */
	public void dropTable() {
		List.copyOf(this.items.keySet()).forEach(this::delete);
		this.older.clear();
		this.missing = true;
	}

	/** Creates the table if it is missing. */
	public void createTable() {
		this.missing = false;
	}

	/**
	 * Puts something under the key that is not a lock.
	 * @param key the key
	 */
	public void putForeignItem(LockKey key) {
		put(key, new Item(null, null, true, null, false));
	}

	private static int compare(LockKey one, LockKey other) {
		int order = one.partition().compareTo(other.partition());
		if (order != 0) {
			return order;
		}
		// A key without a sort key comes first.
		return Objects.requireNonNullElse(one.sort(), "").compareTo(Objects.requireNonNullElse(other.sort(), ""));
	}

	private Item item(LockKey key) {
		return this.items.getOrDefault(key, Item.NONE);
	}

	private void put(LockKey key, Item item) {
		Deque<Replaced> versions = this.older.computeIfAbsent(key, (first) -> new ArrayDeque<>());
		versions.addFirst(new Replaced(item(key), this.clock.getAsLong()));
		if (versions.size() > REMEMBERED_VERSIONS) {
			versions.removeLast();
		}
		if (item.exists()) {
			this.items.put(key, item);
		}
		else {
			this.items.remove(key);
		}
	}

	private boolean isAllowed(LockWrite write, Item item) {
		LockRecord lock = item.lock();
		if (lock == null) {
			return !item.exists() && (write instanceof LockWrite.Claim claim
					? claim.precondition().noItem() && holds(claim.precondition().condition(), Map.of())
					: write instanceof LockWrite.Change change && change.created() != null);
		}
		if (write instanceof LockWrite.Change change) {
			return change.created() == null;
		}
		if (write instanceof LockWrite.Claim claim) {
			return isClaimable(claim, lock) && holds(claim.precondition().condition(), lock.attributes());
		}
		if (write instanceof LockWrite.Renew renew) {
			return lock.recordVersionNumber().equals(renew.expected()) && !lock.isReleased();
		}
		LockWrite.Release release = (LockWrite.Release) write;
		return release.expected().contains(lock.recordVersionNumber()) && !(release.deleteItem() && item.isKept());
	}

	/** Has a table in memory evaluate the condition, on an item with these attributes. */
	private boolean holds(@Nullable ItemCondition condition, Map<String, AttributeValue> attributes) {
		if (condition == null) {
			return true;
		}
		Map<String, AttributeValue> key = Map.of("key", AttributeValue.fromS("evaluated"));
		Map<String, AttributeValue> item = new HashMap<>(attributes);
		item.putAll(key);
		this.evaluation.putItem((request) -> request.tableName(NAME).item(item));
		try {
			this.evaluation.deleteItem((request) -> request.tableName(NAME)
				.key(key)
				.conditionExpression(condition.expression())
				.expressionAttributeNames(condition.names())
				.expressionAttributeValues(condition.values()));
			return true;
		}
		catch (ConditionalCheckFailedException ex) {
			return false;
		}
	}

	private static boolean isClaimable(LockWrite.Claim claim, LockRecord lock) {
		Precondition precondition = claim.precondition();
		long token = lock.fencingToken().orElse(0);
		boolean released = precondition.released() && lock.isReleased();
		boolean version = lock.recordVersionNumber().equals(precondition.version())
				&& (precondition.released() || !lock.isReleased());
		return (released || version) && token >= 0 && token <= LockItem.GREATEST_FENCING_TOKEN;
	}

	private static Item after(LockWrite write, Item item) {
		LockRecord before = item.lock();
		if (write instanceof LockWrite.Claim claim) {
			return claimed(claim, item).wantedBy(item.wantedBy());
		}
		if (write instanceof LockWrite.Change change) {
			LockRecord.Builder changed = Objects.requireNonNull((before == null) ? change.created() : before)
				.toBuilder();
			change(changed, change.change(), before);
			return new Item(changed.build(), null, true, item.wantedBy(), true);
		}
		LockRecord.Builder lock = Objects.requireNonNull(before)
			.toBuilder()
			.recordVersionNumber(write.recordVersionNumber());
		if (write instanceof LockWrite.Renew renew) {
			lock.leaseDuration(renew.leaseDuration())
				.renewedAt(wholeMillis(renew.timestamps().renewedAt()))
				.leaseEnds(wholeMillis(renew.timestamps().leaseEnds()));
			change(lock, renew.change(), before);
			return item.with(lock.build(), renew.timestamps().expiresAt(), false);
		}
		LockWrite.Release release = (LockWrite.Release) write;
		if (release.deleteItem()) {
			return Item.NONE;
		}
		lock.released(true).renewedAt(null).leaseEnds(null);
		change(lock, release.change(), before);
		return item.with(lock.build(), release.expiresAt(), false);
	}

	private static Item claimed(LockWrite.Claim claim, Item item) {
		LockRecord before = item.lock();
		LockRecord wanted = claim.wanted();
		long counted = (before == null || before.fencingToken().isEmpty()) ? claim.tokenSeed()
				: before.fencingToken().getAsLong();
		LockRecord.Builder lock = LockRecord
			.builder(wanted.key(), wanted.ownerName(), wanted.leaseDuration(), wanted.recordVersionNumber())
			.acquiredAt(wholeMillis(wanted.acquiredAt().orElse(null)))
			.fencingToken(counted + LockWrite.Claim.TOKENS)
			.name(wanted.name().orElse(null))
			.renewedAt(wholeMillis(claim.timestamps().renewedAt()))
			.leaseEnds(wholeMillis(claim.timestamps().leaseEnds()));
		change(lock, claim.change(), before);
		return item.with(lock.build(), claim.timestamps().expiresAt(), claim.keepItem());
	}

	/** An update removes only what it names. */
	private static void change(LockRecord.Builder lock, ItemChange change, @Nullable LockRecord before) {
		byte[] kept = (before == null) ? null : before.data().orElse(null);
		lock.data(change.changesData() ? change.data().orElse(null) : kept);
		Map<String, AttributeValue> attributes = new LinkedHashMap<>((before == null) ? Map.of() : before.attributes());
		attributes.keySet().removeAll(change.removedAttributes());
		attributes.putAll(change.attributes());
		Map<String, AttributeValue> known = (before == null) ? Map.of() : before.attributes();
		change.copies().forEach((to, copy) -> attributes.put(to, known.getOrDefault(copy.from(), copy.ifMissing())));
		lock.attributes(attributes);
	}

	private static @Nullable Instant wholeMillis(@Nullable Instant time) {
		return (time == null) ? null : time.truncatedTo(ChronoUnit.MILLIS);
	}

	private static @Nullable Instant wholeSeconds(@Nullable Instant time) {
		return (time == null) ? null : time.truncatedTo(ChronoUnit.SECONDS);
	}

	private static Answer seen(LockKey key, Item item, Function<@Nullable LockRecord, Answer> answer) {
		return (item.exists() && item.lock() == null) ? new Answer.Failed(notALock(key)) : answer.apply(item.lock());
	}

	private static LockTableException notALock(LockKey key) {
		return new LockTableException(NAME, LockTableException.Problem.NOT_A_LOCK,
				"The item '" + key + "' is not a lock: ownerName is missing", null);
	}

	private static LockTableException tableMissing() {
		return new LockTableException(NAME, LockTableException.Problem.MISSING, "The simulated table was deleted",
				null);
	}

	/**
	 * Is notified of changes as the table makes them.
	 */
	@FunctionalInterface
	public interface Changes {

		/**
		 * A lock's item was changed.
		 * @param write by which write, or {@code null} for a deletion by hand
		 * @param before the lock before, or {@code null} if there was none
		 * @param after the lock now, or {@code null} if there is none
		 */
		void changed(@Nullable LockWrite write, @Nullable LockRecord before, @Nullable LockRecord after);

	}

	/** What the table had under a key, and when it was replaced. */
	private record Replaced(Item item, long at) {
	}

	/**
	 * What the table has under a key.
	 *
	 * @param lock the lock, or {@code null} if there is no item, or one that is no lock
	 * @param expiresAt when time to live may delete it, or {@code null}
	 * @param exists whether there is an item
	 * @param wantedBy who waits for the lock, as a mark says, or {@code null}
	 * @param isKept whether it bears the mark of an item that is kept
	 */
	private record Item(@Nullable LockRecord lock, @Nullable Instant expiresAt, boolean exists,
			@Nullable String wantedBy, boolean isKept) {

		static final Item NONE = new Item(null, null, false, null, false);

		Item wantedBy(@Nullable String waiting) {
			return new Item(this.lock, this.expiresAt, this.exists, waiting, this.isKept);
		}

		/** The item after a write, which removes the name of a waiting client. */
		Item with(LockRecord changed, @Nullable Instant expiry, boolean keepItem) {
			boolean kept = this.isKept || keepItem;
			return new Item(changed, kept ? null : wholeSeconds(expiry), true, null, kept);
		}

	}

}
