/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of one lock client. Those of a name are there from its first acquisition on.
 * Thread-safe.
 */
final class LockMeters {

	private final Supplier<MeterRegistry> registry;

	private final String clientName;

	private final LockCounts counts;

	private final ConcurrentMap<String, NamedLockMeters> named = new ConcurrentHashMap<>();

	LockMeters(LockClient client, String clientName, Supplier<MeterRegistry> registry) {
		this.registry = registry;
		this.clientName = clientName;
		this.counts = new LockCounts(client);
	}

	MeteredAcquisition begin(LockRequest request) {
		String name = LockNames.orUnnamed(request.name());
		NamedLockMeters meters = this.named.get(name);
		if (meters == null) {
			NamedLockMeters added = new NamedLockMeters(this.clientName, name, this.counts, this.registry);
			NamedLockMeters before = this.named.putIfAbsent(name, added);
			meters = (before != null) ? before : added;
			if (before == null) {
				added.begin();
			}
		}
		return new MeteredAcquisition(request, meters);
	}

}
