/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of one listing, whose pages are read on demand. Not thread-safe.
 */
final class LockListing implements Spliterator<LockRecord> {

	private static final Logger logger = LoggerFactory.getLogger(LockListing.class);

	private final Environment environment;

	private final Runnable openCheck;

	private final Consumer<LockTableException> onNotALock;

	private @Nullable PageRequest nextPage;

	private Iterator<LockRecord> locks = Collections.emptyIterator();

	/**
	 * Creates a listing.
	 * @param request what to list
	 * @param environment reads the pages
	 * @param openCheck throws if the client is closed
	 */
	LockListing(ListRequest request, Environment environment, Runnable openCheck) {
		this.environment = environment;
		this.openCheck = openCheck;
		this.onNotALock = request.onNotALock().orElse(LockListing::warn);
		this.nextPage = new PageRequest(request.partition().orElse(null), request.pageSize(), request.consistentRead(),
				null);
	}

	@Override
	public boolean tryAdvance(Consumer<? super LockRecord> action) {
		while (!this.locks.hasNext()) {
			// An empty page need not be the last one.
			if (this.nextPage == null) {
				return false;
			}
			read(this.nextPage);
		}
		action.accept(this.locks.next());
		return true;
	}

	private void read(PageRequest request) {
		this.openCheck.run();
		PageAnswer.Page page = page(Waiting.uninterruptibly(this.environment.list(request, Step.Call.LONGEST_NANOS)));
		this.locks = page.locks().iterator();
		this.nextPage = (page.last() == null) ? null : request.next(page.last());
		page.notLocks().forEach(this.onNotALock);
	}

	private PageAnswer.Page page(PageAnswer answer) {
		if (answer instanceof PageAnswer.Page page) {
			return page;
		}
		// The closing client may have cut the call short: then report its close.
		this.openCheck.run();
		LockException failure = ((PageAnswer.Failed) answer).failure();
		// The caller's stack trace; the SDK's stays in the cause.
		failure.fillInStackTrace();
		throw failure;
	}

	private static void warn(LockTableException notALock) {
		logger.warn("Skipped in a listing of locks: {}", notALock.getMessage());
	}

	@Override
	public @Nullable Spliterator<LockRecord> trySplit() {
		return null;
	}

	@Override
	public long estimateSize() {
		return Long.MAX_VALUE;
	}

	@Override
	public int characteristics() {
		return ORDERED | NONNULL;
	}

}
