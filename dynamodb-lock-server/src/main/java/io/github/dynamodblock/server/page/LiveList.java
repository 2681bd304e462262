/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/**
 * Polls the table for all watchers. It polls once per interval, however many watchers
 * there are, and not at all without watchers. If all of them watch the same namespace, it
 * reads only that namespace. Otherwise, it reads the whole table with one Scan. If the
 * table is too large for that, it also reads each watched namespace with a separate
 * Query. Thread-safe.
 */
@Component
class LiveList implements SmartLifecycle, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(LiveList.class);

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

	private static final Event UNAVAILABLE = Event.of("unavailable", "unavailable",
			"{\"message\":\"The lock table cannot be read right now; retrying\"}");

	private final LockTable table;

	private final JsonMapper json;

	private final Clock clock;

	private final PageProperties properties;

	private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

	/**
	 * One thread polls, and may wait for DynamoDB. The other one keeps connections alive.
	 */
	private final ScheduledThreadPoolExecutor executor;

	private LockTable.@Nullable Reading latest;

	private boolean unavailable;

	private @Nullable Future<?> nextLook;

	private long lookedAt;

	private boolean running;

	LiveList(LockTable table, JsonMapper json, Clock clock, PageProperties properties) {
		this.table = table;
		this.json = json;
		this.clock = clock;
		this.properties = properties;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("live-list-");
		threads.setDaemon(true);
		this.executor = new ScheduledThreadPoolExecutor(2, threads);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		Future<?> unused = this.executor.scheduleAtFixedRate(this::keepAlive, KEEP_ALIVE.toMillis(),
				KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS);
		this.lookedAt = System.nanoTime() - properties.refresh().toNanos();
	}

	/**
	 * Adds a watcher. It gets the latest list at once, or the first one after the next
	 * poll.
	 * @param owner the owner that sent the watcher's request
	 * @param begin creates the watcher; not called if there are already too many
	 * @throws ErrorResponseException if there are already too many watchers, in total or
	 * of this owner
	 */
	synchronized void add(String owner, Supplier<Watcher> begin) {
		if (isFull()) {
			throw tooMany(HttpStatus.SERVICE_UNAVAILABLE, "This instance already has " + this.properties.mostWatchers()
					+ " watchers, the maximum (lock-server.page.most-watchers)");
		}
		if (this.watchers.stream().filter((watcher) -> watcher.owner().equals(owner)).count() >= this.properties
			.mostWatchersPerOwner()) {
			throw tooMany(HttpStatus.TOO_MANY_REQUESTS,
					"The owner already has " + this.properties.mostWatchersPerOwner()
							+ " watchers on this instance, the maximum (lock-server.page.most-watchers-per-owner)");
		}
		Watcher watcher = begin.get();
		if (this.watchers.isEmpty()) {
			// There was no poll for a while.
			this.latest = null;
			this.unavailable = false;
		}
		this.watchers.add(watcher);
		LockTable.Reading known = this.latest;
		if (this.unavailable) {
			watcher.offer(UNAVAILABLE);
		}
		else if (known != null && known.covers(watcher.namespace())) {
			watcher.offer(event(known, watcher.namespace()));
		}
		scheduleLook();
		if (!this.running) {
			watcher.end();
		}
	}

	private static ErrorResponseException tooMany(HttpStatus status, String reason) {
		ErrorResponseException ex = new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, reason),
				null);
		ex.getHeaders().set(HttpHeaders.RETRY_AFTER, "10");
		return ex;
	}

	void remove(Watcher watcher) {
		this.watchers.remove(watcher);
	}

	boolean isWatched() {
		return !this.watchers.isEmpty();
	}

	boolean isFull() {
		return this.watchers.size() >= this.properties.mostWatchers();
	}

	/**
	 * Detects watchers that have gone.
	 */
	void keepAlive() {
		this.watchers.forEach(Watcher::keepAlive);
	}

	private synchronized void scheduleLook() {
		if (this.nextLook == null && !this.watchers.isEmpty() && !this.executor.isShutdown()) {
			long wait = this.lookedAt + this.properties.refresh().toNanos() - System.nanoTime();
			this.nextLook = this.executor.schedule(this::look, Math.max(0, wait), TimeUnit.NANOSECONDS);
		}
	}

	private void look() {
		try {
			Set<@Nullable String> watched = new HashSet<>();
			this.watchers.forEach((watcher) -> watched.add(watcher.namespace()));
			if (!watched.isEmpty()) {
				LockTable.Reading reading = this.table.read((watched.size() == 1) ? watched.iterator().next() : null);
				List<LockTable.Reading> missing = watched.stream()
					.filter((namespace) -> !reading.covers(namespace))
					.map(this.table::read)
					.toList();
				publish(reading);
				missing.forEach(this::offer);
			}
		}
		catch (RuntimeException ex) {
			publishUnavailable(ex);
		}
		finally {
			synchronized (this) {
				this.lookedAt = System.nanoTime();
				this.nextLook = null;
			}
			scheduleLook();
		}
	}

	private void publish(LockTable.Reading reading) {
		boolean again;
		synchronized (this) {
			again = this.unavailable;
			this.latest = reading;
			this.unavailable = false;
		}
		if (again) {
			logger.info("The lock table can be read again");
		}
		offer(reading);
	}

	private void offer(LockTable.Reading reading) {
		Map<@Nullable String, Event> events = new HashMap<>();
		for (Watcher watcher : this.watchers) {
			// A watcher that came during the read may need more than was read.
			if (reading.covers(watcher.namespace())) {
				watcher.offer(events.computeIfAbsent(watcher.namespace(), (namespace) -> event(reading, namespace)));
			}
		}
	}

	private void publishUnavailable(RuntimeException ex) {
		synchronized (this) {
			if (!this.unavailable) {
				logger.warn("Could not read the lock table; its watchers are notified, and the next poll retries", ex);
			}
			this.unavailable = true;
		}
		this.watchers.forEach((watcher) -> watcher.offer(UNAVAILABLE));
	}

	private Event event(LockTable.Reading reading, @Nullable String namespace) {
		LockTable.Shown shown = reading.show(namespace, this.properties.mostLocks());
		return Event.of(shown, "locks", this.json
			.writeValueAsString(new Locks(this.clock.millis(), shown.locks(), shown.leftOut(), shown.complete())));
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	/**
	 * Ends the streams before the web server waits for unfinished responses. Lifecycle
	 * beans of the default phase stop before the web server.
	 */
	@Override
	public synchronized void stop() {
		this.running = false;
		this.watchers.forEach(Watcher::end);
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

	/**
	 * The data of an event. It includes the time of the service's clock, because a
	 * watcher's clock may be wrong.
	 */
	private record Locks(long nowMillis, List<ListedLock> locks, int leftOut, boolean complete) {

	}

}
