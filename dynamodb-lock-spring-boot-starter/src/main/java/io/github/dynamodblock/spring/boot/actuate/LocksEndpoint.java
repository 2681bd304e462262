/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.AllLocks;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Locks;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfClient;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfTable;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Problem;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Release;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.TableLock;
import io.github.dynamodblock.spring.event.LockForceReleasedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The actuator endpoint {@code locks}: what this node holds and waits for, without a
 * call; one lock of the table, by one strongly consistent read; all locks of the table,
 * by a listing; and, with unrestricted access, the forced release of a lock. Shows keys,
 * names and owners, but never the data that is stored with a lock. Thread-safe.
 *
 * <pre>{@code
 * LocksEndpoint endpoint = new LocksEndpoint(Map.of("lockClient", client), eventPublisher);
 * }</pre>
 */
@WebEndpoint(id = "locks", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ Locks.class, AllLocks.class, TableLock.class, Release.class, Problem.class })
public class LocksEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(LocksEndpoint.class);

	private static final EndpointAnswers ANSWERS = new EndpointAnswers("locks", logger);

	private final Map<String, LockClient> clients;

	private final ApplicationEventPublisher events;

	/**
	 * An endpoint for some clients.
	 * @param clients the clients by name; they are not closed
	 * @param events receives a {@link LockForceReleasedEvent} for each of them
	 */
	public LocksEndpoint(Map<String, LockClient> clients, ApplicationEventPublisher events) {
		this.clients = new TreeMap<>(clients);
		this.events = events;
	}

	/**
	 * What this node holds and waits for; or, if a key is given, one lock of the table,
	 * of any owner; or all locks of the table that are not released.
	 * @param key the partition key of one lock, exactly as it is; {@code null} for all
	 * that is held or waited for here
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is read; {@code null} if there is only one, or to
	 * list all locks by every client
	 * @param all lists all locks unless it is {@code null} or {@code false}. That reads
	 * the table, up to 10,000 locks for each client, eventually consistently; the 1,000
	 * that were not renewed for the longest time are shown
	 * @return by client; or the lock, as {@link #lock} answers
	 */
	@ReadOperation
	public WebEndpointResponse<?> locks(@Nullable String key, @Nullable String sortKey, @Nullable String client,
			@Nullable String all) {
		if (key != null) {
			return find(key, sortKey, client);
		}
		if (all != null && !all.equals("false")) {
			return list(client);
		}
		Map<String, LocksOfClient> locks = new TreeMap<>();
		this.clients.forEach((name, each) -> locks.put(name, LocksOfClient.of(each)));
		return new WebEndpointResponse<>(new Locks(locks));
	}

	private WebEndpointResponse<?> list(@Nullable String client) {
		return ANSWERS.answer(() -> {
			Map<String, LockClient> chosen = (client != null) ? Map.of(client, client(client)) : this.clients;
			Map<String, LocksOfTable> locks = new TreeMap<>();
			Instant now = Instant.now();
			chosen.forEach((name, each) -> locks.put(name, LocksOfTable.of(each, now)));
			return new WebEndpointResponse<>(new AllLocks(locks));
		});
	}

	/**
	 * One lock of the table, of any owner. A path cannot distinguish keys that begin or
	 * end with a slash or have two in a row; {@link #locks} can.
	 * @param key its partition key, slashes included
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is read; {@code null} if there is only one
	 * @return the lock; status 404 if the table has no such item, 400 if the question
	 * does not fit the client, 503 if the table does not answer
	 */
	@ReadOperation
	public WebEndpointResponse<?> lock(@Selector(match = Match.ALL_REMAINING) String[] key, @Nullable String sortKey,
			@Nullable String client) {
		return find(String.join("/", key), sortKey, client);
	}

	private WebEndpointResponse<?> find(String partition, @Nullable String sortKey, @Nullable String client) {
		return ANSWERS.answer(() -> {
			LockClient chosen = client(client);
			LockKey wanted = key(partition, sortKey);
			return chosen.find(wanted)
				.<WebEndpointResponse<?>>map((record) -> new WebEndpointResponse<>(
						TableLock.of(record, chosen.holds(wanted), Instant.now())))
				.orElseGet(() -> EndpointAnswers.problem(WebEndpointResponse.STATUS_NOT_FOUND,
						"Table '" + chosen.tableName() + "' has no item for lock '" + wanted + "'"));
		});
	}

	/**
	 * Releases a lock that another client holds, whatever its key is; see
	 * {@link LockClient#forceRelease(LockKey, String)} for what that may do.
	 * @param key its partition key, exactly as it is
	 * @param owner the owner that the lock must have, as {@link #locks} shows it
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is released; {@code null} if there is only one
	 * @return what happened, with the statuses of {@link #releaseByPath}
	 */
	@DeleteOperation
	public WebEndpointResponse<?> release(@Nullable String key, @Nullable String owner, @Nullable String sortKey,
			@Nullable String client) {
		return forceRelease(key, owner, sortKey, client);
	}

	/**
	 * Releases a lock that another client holds. A path cannot distinguish keys that
	 * begin or end with a slash or have two in a row; {@link #release} can.
	 * @param key its partition key, slashes included
	 * @param owner the owner that the lock must have, as {@link #lock} shows it
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is released; {@code null} if there is only one
	 * @return what happened; status 409 if another owner holds the lock, 400 if the
	 * question does not fit the client, 503 if the table does not answer
	 */
	@DeleteOperation
	public WebEndpointResponse<?> releaseByPath(@Selector(match = Match.ALL_REMAINING) String[] key,
			@Nullable String owner, @Nullable String sortKey, @Nullable String client) {
		return forceRelease(String.join("/", key), owner, sortKey, client);
	}

	private WebEndpointResponse<?> forceRelease(@Nullable String partition, @Nullable String owner,
			@Nullable String sortKey, @Nullable String client) {
		return ANSWERS.answer(() -> {
			if (partition == null) {
				throw new IllegalArgumentException("The parameter 'key' is missing; give the key of the lock");
			}
			if (owner == null) {
				throw new IllegalArgumentException("The parameter 'owner' is missing; give the ownerName that a GET "
						+ "of this lock shows, so that no other owner's lock is released");
			}
			ReleaseOutcome outcome = forceRelease(client(client), key(partition, sortKey), owner);
			int status = (outcome == ReleaseOutcome.HELD_BY_ANOTHER) ? EndpointAnswers.STATUS_CONFLICT
					: WebEndpointResponse.STATUS_OK;
			return new WebEndpointResponse<>(new Release(outcome), status);
		});
	}

	private ReleaseOutcome forceRelease(LockClient client, LockKey key, String owner) {
		ReleaseOutcome outcome = client.forceRelease(key, owner);
		if (outcome == ReleaseOutcome.RELEASED) {
			logger
				.warn("Lock '{}' in table '{}' was released by force through the endpoint 'locks'; its owner '{}' may "
						+ "still work under it", key, client.tableName(), Printable.of(owner));
			ANSWERS.publish(this.events, new LockForceReleasedEvent(name(client), client.tableName(), key, owner));
		}
		return outcome;
	}

	private LockClient client(@Nullable String name) {
		if (name == null && this.clients.size() == 1) {
			return this.clients.values().iterator().next();
		}
		LockClient client = (name != null) ? this.clients.get(name) : null;
		if (client == null) {
			throw new IllegalArgumentException(
					((name != null) ? "There is no lock client '" + name + "'" : "There are several lock clients")
							+ "; give the parameter 'client' as one of " + this.clients.keySet());
		}
		return client;
	}

	private String name(LockClient client) {
		return this.clients.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() == client)
			.map(Map.Entry::getKey)
			.findFirst()
			.orElseThrow();
	}

	private static LockKey key(String partition, @Nullable String sortKey) {
		return (sortKey != null) ? LockKey.of(partition, sortKey) : LockKey.of(partition);
	}

}
