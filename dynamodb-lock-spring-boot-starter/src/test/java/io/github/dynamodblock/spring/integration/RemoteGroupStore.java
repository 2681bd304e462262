/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.integration.store.AbstractKeyValueMessageStore;
import org.springframework.integration.support.locks.PassThruLockRegistry;
import org.springframework.util.SerializationUtils;

/**
 * One application's way to message groups that lie in a database of several: it reads a
 * row, changes its copy and writes the row back, and nothing keeps others from doing so
 * meanwhile. Has no lock of its own.
 */
final class RemoteGroupStore extends AbstractKeyValueMessageStore {

	/** What a row takes from here to the database or back. */
	private static final Duration LATENCY = Duration.ofNanos(100_000);

	private final ConcurrentMap<Object, Serializable> rows;

	/**
	 * Opens the groups.
	 * @param rows the database, which all applications give to their stores
	 */
	RemoteGroupStore(ConcurrentMap<Object, Serializable> rows) {
		this.rows = rows;
		setLockRegistry(new PassThruLockRegistry());
	}

	@Override
	protected @Nullable Object doRetrieve(Object id) {
		Serializable row = this.rows.get(id);
		travel();
		return (row != null) ? SerializationUtils.clone(row) : null;
	}

	@Override
	protected void doStore(Object id, Object row) {
		travel();
		this.rows.put(id, (Serializable) row);
	}

	@Override
	protected void doStoreIfAbsent(Object id, Object row) {
		if (!this.rows.containsKey(id)) {
			doStore(id, row);
		}
	}

	@Override
	protected @Nullable Object doRemove(Object id) {
		travel();
		return this.rows.remove(id);
	}

	@Override
	protected void doRemoveAll(Collection<Object> ids) {
		travel();
		ids.forEach(this.rows::remove);
	}

	@Override
	protected Collection<?> doListKeys(String pattern) {
		String prefix = pattern.substring(0, pattern.length() - 1);
		return this.rows.keySet().stream().filter((id) -> id.toString().startsWith(prefix)).toList();
	}

	private static void travel() {
		LockSupport.parkNanos(LATENCY.toNanos());
	}

}
