/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockclient;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

/**
 * Stands for a search engine that compares versions, such as OpenSearch with
 * {@code version_type=external_gte}.
 */
@Component
public class SearchIndex {

	private final Map<String, Long> versions = new ConcurrentHashMap<>();

	/**
	 * Stores a section. Refuses a late write of a node that has lost its lock.
	 * @param version the fencing token of the writer's lock
	 */
	public void store(String section, long version) {
		this.versions.merge(section, version, (stored, late) -> {
			if (late < stored) {
				throw new IllegalStateException(section + " has the version " + stored + ", later than " + late);
			}
			return late;
		});
	}

}
