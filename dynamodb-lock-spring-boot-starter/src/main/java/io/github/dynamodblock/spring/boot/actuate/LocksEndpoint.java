/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Locks;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfClient;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Problem;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Release;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.TableLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code locks}: what this node holds and waits for, without a
 * call; one lock of the table, by one strongly consistent read; and, where it is switched
 * on, the forced release of a lock. Shows keys, names and owners, but never the data that
 * is stored with a lock. Thread-safe.
 *
 * <pre>{@code
 * LocksEndpoint endpoint = new LocksEndpoint(Map.of("lockClient", client), false);
 * }</pre>
 */
@WebEndpoint(id = "locks")
@RegisterReflectionForBinding({ Locks.class, TableLock.class, Release.class, Problem.class })
public final class LocksEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(LocksEndpoint.class);

	private static final int STATUS_FORBIDDEN = 403;

	private static final int STATUS_CONFLICT = 409;

	private final Map<String, LockClient> clients;

	private final boolean forcedRelease;

	/**
	 * An endpoint for some clients.
	 * @param clients the clients by name; they are not closed
	 * @param forcedRelease whether locks of others may be released
	 */
	public LocksEndpoint(Map<String, LockClient> clients, boolean forcedRelease) {
		this.clients = new TreeMap<>(clients);
		this.forcedRelease = forcedRelease;
	}

	/**
	 * What this node holds and waits for; or, if a key is given, one lock of the table,
	 * whoever holds it.
	 * @param key the partition key of one lock, exactly as it is; {@code null} for all
	 * that is held or waited for here
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is read; {@code null} if there is only one
	 * @return by client; or the lock, as {@link #lock} answers
	 */
	@ReadOperation
	public WebEndpointResponse<?> locks(@Nullable String key, @Nullable String sortKey, @Nullable String client) {
		if (key != null) {
			return find(key, sortKey, client);
		}
		Map<String, LocksOfClient> locks = new TreeMap<>();
		this.clients.forEach((name, each) -> locks.put(name, LocksOfClient.of(each)));
		return new WebEndpointResponse<>(new Locks(locks));
	}

	/**
	 * One lock of the table, whoever holds it. A path cannot tell keys apart that begin
	 * or end with a slash or have two in a row; {@link #locks} can.
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
		return answer(() -> {
			LockClient chosen = client(client);
			LockKey wanted = key(partition, sortKey);
			return chosen.find(wanted)
				.<WebEndpointResponse<?>>map(
						(record) -> new WebEndpointResponse<>(TableLock.of(record, chosen.holds(wanted))))
				.orElseGet(() -> problem(WebEndpointResponse.STATUS_NOT_FOUND,
						"Table '" + chosen.tableName() + "' has no item for lock '" + wanted + "'"));
		});
	}

	/**
	 * Frees a lock that somebody else holds, whatever its key is; see
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
	 * Frees a lock that somebody else holds. A path cannot tell keys apart that begin or
	 * end with a slash or have two in a row; {@link #release} can.
	 * @param key its partition key, slashes included
	 * @param owner the owner that the lock must have, as {@link #lock} shows it
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param client by which client it is released; {@code null} if there is only one
	 * @return what happened; status 403 if forced release is not switched on, 409 if
	 * another owner holds the lock, 400 if the question does not fit the client, 503 if
	 * the table does not answer
	 */
	@DeleteOperation
	public WebEndpointResponse<?> releaseByPath(@Selector(match = Match.ALL_REMAINING) String[] key,
			@Nullable String owner, @Nullable String sortKey, @Nullable String client) {
		return forceRelease(String.join("/", key), owner, sortKey, client);
	}

	private WebEndpointResponse<?> forceRelease(@Nullable String partition, @Nullable String owner,
			@Nullable String sortKey, @Nullable String client) {
		if (!this.forcedRelease) {
			return problem(STATUS_FORBIDDEN, "Forced release is switched off. It can let two owners hold one lock; "
					+ "to switch it on, set dynamodb-lock.endpoint.forced-release=true");
		}
		return answer(() -> {
			if (partition == null) {
				throw new IllegalArgumentException("The parameter 'key' is missing; give the key of the lock");
			}
			if (owner == null) {
				throw new IllegalArgumentException("The parameter 'owner' is missing; give the ownerName that a GET "
						+ "of this lock shows, so that nobody else's lock is released");
			}
			ReleaseOutcome outcome = client(client).forceRelease(key(partition, sortKey), owner);
			int status = (outcome == ReleaseOutcome.HELD_BY_ANOTHER) ? STATUS_CONFLICT : WebEndpointResponse.STATUS_OK;
			return new WebEndpointResponse<>(new Release(outcome), status);
		});
	}

	private static WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> question) {
		try {
			return question.get();
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, ex.getMessage());
		}
		catch (LockException ex) {
			logger.warn("{}", ex.getMessage(), ex);
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, ex.getMessage());
		}
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

	private static LockKey key(String partition, @Nullable String sortKey) {
		return (sortKey != null) ? LockKey.of(partition, sortKey) : LockKey.of(partition);
	}

	private static WebEndpointResponse<?> problem(int status, @Nullable String message) {
		return new WebEndpointResponse<>(new Problem(String.valueOf(message)), status);
	}

}
