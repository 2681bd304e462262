/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What must be so at every moment of a simulated run. It rests on what the table did and
 * on what holders were told, not on what the clients believe of each other.
 */
final class SafetyChecks implements SimulatedTable.Changes {

	/** How late a timer or a thread of a simulated process may be. */
	static final long SLACK = Duration.ofMillis(5).toNanos();

	private final VirtualTime time;

	private final Scenario scenario;

	private final RunHistory history;

	private final List<SimulatedClient> clients;

	private final List<String> violations = new ArrayList<>();

	private final Map<String, Integer> counts = new TreeMap<>();

	private final Map<LockKey, Row> rows = new HashMap<>();

	/** Every grant that the table made; a claim that the SDK repeats may make two. */
	private final List<Grant> grants = new ArrayList<>();

	/** What each handle was told. */
	private final Map<LeaseHandle, Grant> granted = new HashMap<>();

	/** Those of which a caller was told. */
	private final Set<Grant> told = new HashSet<>();

	/** The ticks of each lock that a caller was granted it for. */
	private final Set<String> ticks = new HashSet<>();

	SafetyChecks(VirtualTime time, Scenario scenario, RunHistory history, List<SimulatedClient> clients) {
		this.time = time;
		this.scenario = scenario;
		this.history = history;
		this.clients = clients;
	}

	List<String> violations() {
		return this.violations;
	}

	/** What happened how often, so that one can see what the checks were worth. */
	Map<String, Integer> counts() {
		return this.counts;
	}

	/** An administrator begins to release a lock that this owner has. */
	void forces(LockRecord lock) {
		row(lock.key()).forced.add(lock.ownerName());
	}

	void count(String what) {
		this.counts.merge(what, 1, Integer::sum);
	}

	void violation(String what) {
		this.violations.add(what);
		this.history.add("!!!", what);
	}

	@Override
	public void changed(@Nullable LockWrite write, @Nullable LockRecord before, @Nullable LockRecord after) {
		this.history.add("table", "has", (after != null) ? after : "no item");
		LockRecord some = (after != null) ? after : before;
		if (some == null) {
			return;
		}
		Row row = row(some.key());
		row.version = (after != null) ? after.recordVersionNumber() : null;
		if (hasTick(before) && !hasTick(after)) {
			row.series++;
		}
		if (write instanceof LockWrite.Change change) {
			checkChanged(change, before, Objects.requireNonNull(after));
			return;
		}
		// The SDK may send a claim of what it has just taken once more.
		if (before != null && !(write instanceof LockWrite.Claim) && before.recordVersionNumber().equals(row.version)) {
			violation("a write kept the record version number: " + write);
		}
		if (write instanceof LockWrite.Claim && after != null) {
			granted(row, after, before != null && !before.isReleased());
		}
		else if (!(write instanceof LockWrite.Renew)) {
			boolean forced = before != null && row.forced.contains(before.ownerName());
			row.tampered |= this.scenario.kind() == Scenario.Kind.ADMINISTRATORS
					&& (forced || !(write instanceof LockWrite.Release)) && before != null && !before.isReleased();
			checkNobodyLoses(row, "was freed");
			row.current = null;
		}
		if (after == null) {
			// The count begins anew, from the wall clock of whoever comes next.
			row.lastToken = Long.MIN_VALUE;
			row.life++;
		}
	}

	/** It must change nothing but data and attributes, or create a lock that is free. */
	private void checkChanged(LockWrite.Change write, @Nullable LockRecord before, LockRecord after) {
		count("changes without the lock");
		LockRecord expected = (before != null) ? before : Objects.requireNonNull(write.created());
		LockRecord rest = after.toBuilder()
			.attributes(expected.attributes())
			.data(expected.data().orElse(null))
			.build();
		if (!rest.toString().equals(expected.toString()) || (before == null && !after.isReleased())) {
			violation("a change without the lock changed " + expected + " to " + after);
		}
	}

	private static boolean hasTick(@Nullable LockRecord lock) {
		return lock != null && lock.attributes().containsKey(SimulatedRequests.TICK);
	}

	private void granted(Row row, LockRecord lock, boolean takeover) {
		count(takeover ? "takeovers" : "grants");
		long token = lock.fencingToken().orElseThrow();
		if (token <= row.lastToken) {
			violation("fencing token " + token + " of " + lock.ownerName() + " follows " + row.lastToken);
		}
		row.lastToken = token;
		checkNobodyLoses(row, "was taken");
		row.current = new Grant(lock.key(), lock.recordVersionNumber(), lock.ownerName(), token, row.life, row.series);
		this.grants.add(row.current);
	}

	/**
	 * Whoever holds the lock of this row may rely on it until the deadline, unless it is
	 * acquired once more in the same owner's name.
	 */
	private void checkNobodyLoses(Row row, String what) {
		if (isStrict(row)) {
			for (SimulatedClient client : this.clients) {
				for (LeaseHandle handle : client.handles()) {
					if (isCurrent(row, handle) && isValid(client, handle)) {
						violation("a lock " + what + " that " + client + " holds validly: " + handle);
					}
				}
			}
		}
	}

	/** To be called after each event in a client's process. */
	void after(SimulatedClient client) {
		for (LeaseHandle handle : client.handles()) {
			checkNoticed(client, handle);
			if (isStrict(row(handle.key())) && isValid(client, handle)) {
				this.clients.forEach((other) -> checkHeldOnce(client, handle, other));
			}
		}
	}

	private void checkHeldOnce(SimulatedClient client, LeaseHandle handle, SimulatedClient other) {
		for (LeaseHandle another : other.handles()) {
			if (another != handle && another.key().equals(handle.key()) && isValid(other, another)) {
				violation("two valid holders: " + client + " " + handle + " and " + other + " " + another);
			}
		}
	}

	/** The watch must not wait for anything but the time. */
	private void checkNoticed(SimulatedClient client, LeaseHandle handle) {
		Lease lease = handle.last();
		SimulatedProcess process = client.process();
		long late = process.clocks().holderNanos() - process.clocks().slept() - lease.lostAt();
		if (lease.isLive() && late > SLACK && !process.wasStalled() && !process.isClosed()) {
			violation("a loss was not noticed by its deadline: " + client + " " + handle.key());
		}
	}

	/** Whether a look at the clock would say that the lock is held; changes nothing. */
	private static boolean isValid(SimulatedClient client, LeaseHandle handle) {
		Lease lease = handle.last();
		return lease.isLive() && !isOver(client, handle);
	}

	private static boolean isOver(SimulatedClient client, LeaseHandle handle) {
		return client.process().clocks().holderNanos() >= handle.last().renewals().deadline();
	}

	private static String ownerOf(LeaseHandle handle) {
		return handle.record().ownerName();
	}

	private boolean isStrict(Row row) {
		return this.scenario.kind() != Scenario.Kind.WILD_CLOCKS && !row.tampered;
	}

	/**
	 * A client was granted a lock.
	 * @param client the client
	 * @param handle the handle, not used yet
	 * @return the grant by which the table made it so
	 */
	Grant grantOf(SimulatedClient client, LeaseHandle handle) {
		// A thread may stall once it has looked at the clock.
		boolean stalled = client.process().wasStalled();
		if (isStrict(row(handle.key())) && !stalled && !isValid(client, handle)) {
			violation("a lock was granted to " + client + " that was over already: " + handle.key());
		}
		// The lock may have been renewed since, so its version is not the claim's.
		Optional<Grant> grant = this.grants.stream()
			.filter((each) -> each.key().equals(handle.key()) && each.owner().equals(ownerOf(handle))
					&& each.reserves(handle.fencingToken()))
			.max(Comparator.comparingInt(Grant::life));
		// A valid holder's claim takes the lock again only after another client's
		// release.
		boolean valid = isStrict(row(handle.key())) && isValid(client, handle);
		if (grant.isEmpty() || (valid && isRepeated(grant.get()))) {
			violation("a lock was granted that the table did not give: " + handle);
			return new Grant(handle.key(), "", "", handle.fencingToken(), 0, 0);
		}
		return handedTo(handle, grant.get());
	}

	/**
	 * A claim's first holder gets the token in the table, and the next ones later ones.
	 */
	private Grant handedTo(LeaseHandle handle, Grant claimed) {
		Grant grant = claimed.with(handle.fencingToken());
		if (!this.told.add(grant)) {
			violation("two handles have one fencing token: " + grant);
		}
		this.granted.put(handle, grant);
		Row row = row(handle.key());
		if (!grant.equals(claimed)) {
			count("handed on");
			if (row.current != null && claimed.reserves(row.current.token()) && row.current.life() == claimed.life()) {
				row.current = grant;
			}
		}
		return grant;
	}

	/** Whether the claim was applied once more, by which the lock has a newer token. */
	private boolean isRepeated(Grant grant) {
		Grant current = row(grant.key()).current;
		return current != null && current.version().equals(grant.version()) && !grant.reserves(current.token());
	}

	/**
	 * A caller was granted a lock. For each tick, only one may be, unless the item has
	 * lost its attributes since.
	 */
	void grantedFor(LockRequest request, Grant grant) {
		AttributeValue tick = request.change().attributes().get(SimulatedRequests.TICK);
		if (request.condition().isPresent() && tick != null) {
			count("ticks");
			if (!this.ticks.add(grant.key() + " " + grant.series() + " " + tick.n())) {
				violation("a tick was granted twice: " + tick.n() + " " + grant);
			}
		}
	}

	/**
	 * A write of the application's was applied under the condition of a grant. Where the
	 * item was deleted since, tokens may repeat: a claim that was sent before and arrives
	 * now begins a count of its own.
	 */
	void guardedWriteApplied(Grant grant) {
		if (!grant.equals(row(grant.key()).current) && isInItsLife(grant)) {
			violation("a former owner's guarded write was accepted: " + grant);
		}
	}

	/** Whether the item was not deleted since. */
	boolean isInItsLife(Grant grant) {
		return grant.life() == row(grant.key()).life;
	}

	/** Whether a claim took a lock, and no caller was told of it. */
	boolean isUntold(String version) {
		return this.grants.stream().anyMatch((grant) -> grant.version().equals(version))
				&& this.told.stream().noneMatch((grant) -> grant.version().equals(version));
	}

	/** A holder was told of a loss. */
	void lost(SimulatedClient client, LeaseHandle handle, LossReason reason, boolean renewed) {
		count(reason.toString());
		Row row = row(handle.key());
		boolean administered = this.scenario.kind() == Scenario.Kind.ADMINISTRATORS;
		boolean caused = switch (reason) {
			case CLOSED -> client.isClosing();
			case EXPIRED -> !renewed || wasTroubled(client, handle);
			case HELD_TOO_LONG -> client.process().clocks().holderNanos() >= handle.last().lostAt();
			// A machine that slept may see that before it looks at the time.
			case STOLEN, ITEM_MISSING -> !isStrict(row) || (!isCurrent(row, handle) && isOver(client, handle));
			case TABLE_MISSING, RELEASED_BY_ADMINISTRATOR -> administered || !isStrict(row);
		};
		if (!caused) {
			violation("a loss without a cause: " + client + " " + handle.key() + " " + reason);
		}
	}

	/** Whoever is handed the lock over must find it as the token says. */
	void detached(LeaseHandle handle, LockToken token) {
		Row row = row(handle.key());
		if (isStrict(row) && isCurrent(row, handle) && !token.recordVersionNumber().equals(row.version)) {
			violation("a token was given out that is good for nothing: " + token);
		}
	}

	private boolean wasTroubled(SimulatedClient client, LeaseHandle handle) {
		long recently = this.time.nanos() - 2 * handle.last().renewals().terms().leaseDuration().toNanos();
		return client.process().troubledAt() >= recently;
	}

	/**
	 * Whether a handle has the lock as the table says. One that was granted in an earlier
	 * life of the item has not, even if owner and token are the same once more.
	 */
	private boolean isCurrent(Row row, LeaseHandle handle) {
		Grant current = row.current;
		Grant own = this.granted.get(handle);
		return current != null && (own == null || own.equals(current)) && current.key().equals(handle.key())
				&& current.reserves(handle.fencingToken()) && current.owner().equals(ownerOf(handle));
	}

	private Row row(LockKey key) {
		return this.rows.computeIfAbsent(key, (first) -> new Row());
	}

	/**
	 * A grant as the table made it.
	 *
	 * @param key the lock
	 * @param version the record version number of the claim
	 * @param owner the owner
	 * @param token the fencing token
	 * @param life how often the item had been deleted
	 * @param series how often the item had lost its tick
	 */
	record Grant(LockKey key, String version, String owner, long token, int life, int series) {

		boolean reserves(long token) {
			return LockWrite.Claim.reserves(OptionalLong.of(this.token), OptionalLong.of(token));
		}

		Grant with(long token) {
			return new Grant(this.key, this.version, this.owner, token, this.life, this.series);
		}

	}

	/**
	 * What the table has done with a lock.
	 */
	private static final class Row {

		private long lastToken = Long.MIN_VALUE;

		/** How often the item was deleted. */
		private int life;

		/** How often the item lost its tick. */
		private int series;

		/** Whose the lock is, unless it is free. */
		private @Nullable Grant current;

		/** The item's record version number, if there is an item. */
		private @Nullable String version;

		/** Whether somebody deleted it or freed it while it was held. */
		private boolean tampered;

		/** Whose lock an administrator has begun to release. */
		private final Set<String> forced = new HashSet<>();

	}

}
