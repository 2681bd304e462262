/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.security.Principal;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Locks;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfClient;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfTable;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Release;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The actuator endpoint {@code locks}. It shows the locks that this node holds and waits
 * for, without a call, and the locks of all owners in a client's table. With unrestricted
 * access, it also releases a lock by force. It shows keys, names and owners, but never
 * the data that is stored with a lock. Thread-safe.
 *
 * <pre>{@code
 * LocksEndpoint endpoint = new LocksEndpoint(Map.of("lockClient", client), eventPublisher);
 * }</pre>
 */
@WebEndpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(LocksEndpoint.class);

	private static final int STATUS_CONFLICT = 409;

	private final Map<String, LockClient> clients;

	private final ApplicationEventPublisher events;

	/**
	 * Creates the endpoint.
	 * @param clients the clients by name; they are not closed
	 * @param events receives an {@link AuditApplicationEvent} for each forced release
	 */
	public LocksEndpoint(Map<String, LockClient> clients, ApplicationEventPublisher events) {
		this.clients = Map.copyOf(clients);
		this.events = events;
	}

	/**
	 * Returns the locks that this node holds and waits for.
	 * @return the locks by client
	 */
	@ReadOperation
	public Locks locks() {
		Map<String, LocksOfClient> locks = new TreeMap<>();
		this.clients.forEach((name, client) -> locks.put(name, LocksOfClient.of(client)));
		return new Locks(locks);
	}

	/**
	 * Returns the unreleased locks in a client's table, or one lock, released or not.
	 * Without a key, up to 10,000 locks are read, eventually consistently, and the 1,000
	 * that were not renewed for the longest time are shown. With a key, one strongly
	 * consistent read is made.
	 * @param client the name of the client
	 * @param key the partition key of one lock; {@code null} for all locks
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @return the locks; status 404 if there is no such client, 400 if the key does not
	 * fit its table
	 */
	@ReadOperation
	public @Nullable LocksOfTable table(@Selector String client, @Nullable String key, @Nullable String sortKey) {
		LockClient chosen = this.clients.get(client);
		if (chosen == null) {
			return null;
		}
		return (key != null) ? valid(
				() -> LocksOfTable.of(chosen, chosen.find(new LockKey(key, sortKey)).stream().toList(), Instant.now()))
				: LocksOfTable.all(chosen, Instant.now());
	}

	/**
	 * Releases a lock that another client holds; see
	 * {@link LockClient#forceRelease(LockKey, String)} for the risks.
	 * @param client the name of the client that releases it
	 * @param key the lock's partition key
	 * @param owner the expected owner, as {@link #table} shows it
	 * @param sortKey its sort key; {@code null} in a table without one
	 * @param security the sender of the request
	 * @return what happened; status 409 if another owner holds the lock, 404 if there is
	 * no such client, 400 if the key does not fit its table
	 */
	@DeleteOperation
	public WebEndpointResponse<Release> release(@Selector String client, String key, String owner,
			@Nullable String sortKey, SecurityContext security) {
		LockClient chosen = this.clients.get(client);
		if (chosen == null) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		LockKey released = valid(() -> new LockKey(key, sortKey));
		ReleaseOutcome outcome = valid(() -> chosen.forceRelease(released, owner));
		if (outcome == ReleaseOutcome.RELEASED) {
			logger
				.warn("Lock '{}' in table '{}' was forcibly released through the endpoint 'locks'; its owner '{}' may "
						+ "still be working under it", released, chosen.tableName(), LogText.of(owner));
			Principal principal = security.getPrincipal();
			this.events.publishEvent(new AuditApplicationEvent((principal != null) ? principal.getName() : "",
					"DYNAMODB_LOCK_FORCE_RELEASE", "client=" + client, "table=" + chosen.tableName(), "key=" + released,
					"owner=" + owner));
		}
		if (outcome == ReleaseOutcome.HELD_BY_ANOTHER) {
			String other = chosen.find(released).map(LockRecord::ownerName).orElse(null);
			return new WebEndpointResponse<>(new Release(outcome, other), STATUS_CONFLICT);
		}
		return new WebEndpointResponse<>(new Release(outcome, null));
	}

	/** Only the client knows which keys fit its table. */
	private static <T> T valid(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()), "The key is not valid");
		}
	}

}
