/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Describes which locks to list, and how. Immutable: every method that sets an option
 * returns a new request. Thread-safe if the consumer of {@link #onNotALock(Consumer)} is.
 *
 * <pre>{@code
 * ListRequest request = ListRequest.partition("orders")
 *     .pageSize(500)
 *     .onNotALock((problem) -> logger.info(problem.getMessage()));
 * }</pre>
 */
public final class ListRequest {

	private static final int DEFAULT_PAGE_SIZE = 100;

	private static final int GREATEST_PAGE_SIZE = 1000;

	private final @Nullable String partition;

	private final int pageSize;

	private final boolean consistentRead;

	private final @Nullable Consumer<LockTableException> onNotALock;

	private ListRequest(@Nullable String partition, int pageSize, boolean consistentRead,
			@Nullable Consumer<LockTableException> onNotALock) {
		this.partition = partition;
		this.pageSize = pageSize;
		this.consistentRead = consistentRead;
		this.onNotALock = onNotALock;
	}

	/**
	 * Creates a request for all locks of the client: those of its namespace if it has
	 * one, otherwise all in the table. It uses Scan, which <b>reads the whole table</b>
	 * and costs half a read unit for each 4 KB, or one unit with
	 * {@link #consistentRead(boolean)}. Items of other namespaces are included in the
	 * cost. The item of a lock without data is about 200 bytes long, so 10,000 locks cost
	 * about 250 units.
	 * @return the request, with default options
	 */
	public static ListRequest all() {
		return new ListRequest(null, DEFAULT_PAGE_SIZE, false, null);
	}

	/**
	 * Creates a request for the locks of one partition, in the order of their sort keys.
	 * It uses Query, which reads only the items of the partition and costs half a read
	 * unit for each 4 KB, or one unit with {@link #consistentRead(boolean)}. In a table
	 * without a sort key, it lists at most one lock.
	 * @param partition the partition key of the locks, without the client's namespace
	 * @return the request, with default options
	 * @throws IllegalArgumentException if the partition is empty or longer than 2,048
	 * bytes in UTF-8
	 */
	public static ListRequest partition(String partition) {
		return new ListRequest(LockKey.of(partition).partition(), DEFAULT_PAGE_SIZE, false, null);
	}

	/**
	 * Sets how many items DynamoDB reads in one call. A page has fewer locks if some
	 * items belong to other namespaces or are not locks, or if the items are larger than
	 * 1 MB in total.
	 * @param pageSize the number of items, from 1 to 1000; the default is 100
	 * @return the changed request
	 * @throws IllegalArgumentException if the number is not within these limits
	 */
	public ListRequest pageSize(int pageSize) {
		if (pageSize < 1 || pageSize > GREATEST_PAGE_SIZE) {
			throw new IllegalArgumentException(
					"pageSize is " + pageSize + "; it must be from 1 to " + GREATEST_PAGE_SIZE + " items per call");
		}
		return new ListRequest(this.partition, pageSize, this.consistentRead, this.onNotALock);
	}

	/**
	 * Sets whether pages are read with strong consistency, at twice the cost. Otherwise a
	 * page may not show the latest writes.
	 * @param consistentRead whether to read with strong consistency; the default is
	 * {@code false}
	 * @return the changed request
	 */
	public ListRequest consistentRead(boolean consistentRead) {
		return new ListRequest(this.partition, this.pageSize, consistentRead, this.onNotALock);
	}

	/**
	 * Sets a consumer of items that are not locks, because an attribute of a lock is
	 * missing or has another type. Such items are skipped. By default, each is logged at
	 * WARN.
	 * @param onNotALock the consumer. The thread that reads the stream calls it for each
	 * such item when the item's page is read. The exception that it receives names the
	 * item and the problem, {@link LockTableException.Problem#NOT_A_LOCK}. If the
	 * consumer throws an exception, the stream ends and its reader gets that exception.
	 * @return the changed request
	 */
	public ListRequest onNotALock(Consumer<LockTableException> onNotALock) {
		return new ListRequest(this.partition, this.pageSize, this.consistentRead,
				Objects.requireNonNull(onNotALock, "onNotALock"));
	}

	/**
	 * {@return the partition key, or empty for all locks}
	 */
	public Optional<String> partition() {
		return Optional.ofNullable(this.partition);
	}

	/**
	 * {@return how many items DynamoDB reads in one call}
	 */
	public int pageSize() {
		return this.pageSize;
	}

	/**
	 * {@return whether pages are read with strong consistency}
	 */
	public boolean consistentRead() {
		return this.consistentRead;
	}

	/**
	 * {@return the consumer of items that are not locks, or empty if such items are
	 * logged}
	 */
	public Optional<Consumer<LockTableException>> onNotALock() {
		return Optional.ofNullable(this.onNotALock);
	}

	@Override
	public String toString() {
		String what = (this.partition == null) ? "all" : "partition=" + this.partition;
		return "ListRequest[" + what + ", pageSize=" + this.pageSize + ", consistentRead=" + this.consistentRead + "]";
	}

}
