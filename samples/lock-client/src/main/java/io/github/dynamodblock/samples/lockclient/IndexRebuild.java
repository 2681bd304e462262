/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockclient;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Rebuilds the search index, on one node at a time.
 */
@Service
public class IndexRebuild {

	private static final Logger logger = LoggerFactory.getLogger(IndexRebuild.class);

	private static final LockRequest LOCK = LockRequest.of("search-index");

	private static final List<String> SECTIONS = List.of("books", "films", "music");

	private final LockClient lockClient;

	private final SearchIndex index;

	public IndexRebuild(LockClient lockClient, SearchIndex index) {
		this.lockClient = lockClient;
		this.index = index;
	}

	/**
	 * Rebuilds the index. Waits for up to 30 seconds while another node does so.
	 * @throws LockNotGrantedException if the other node takes longer
	 * @throws LockLostException if this node has lost the lock; the rest is not rebuilt
	 */
	public void rebuild() throws InterruptedException {
		try (HeldLock lock = this.lockClient.acquire(LOCK.waitTime(Duration.ofSeconds(30)))) {
			rebuild(lock);
		}
	}

	/**
	 * Rebuilds the index, unless another node does so.
	 * @return whether this node has rebuilt it
	 * @throws LockLostException if this node has lost the lock; the rest is not rebuilt
	 */
	public boolean rebuildIfFree() throws InterruptedException {
		Optional<HeldLock> free = this.lockClient.tryAcquire(LOCK);
		if (free.isEmpty()) {
			logger.info("Another node is rebuilding the search index");
			return false;
		}
		try (HeldLock lock = free.get()) {
			rebuild(lock);
			return true;
		}
	}

	private void rebuild(HeldLock lock) {
		for (String section : SECTIONS) {
			// Saves the work of a step. The lock can still be lost during it, hence the
			// token.
			lock.ensureHeld();
			this.index.store(section, lock.fencingToken());
			logger.info("Indexed {} with fencing token {}", section, lock.fencingToken());
		}
		logger.info("Rebuilt the search index");
	}

}
