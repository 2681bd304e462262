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
 * Which locks to list, and how. Immutable: every method that sets something returns a new
 * request. Thread-safe, if the consumer of {@link #onNotALock(Consumer)} is.
 *
 * <pre>{@code
 * ListRequest request = ListRequest.partition("orders")
 *     .pageSize(500)
 *     .onNotALock((row) -> logger.info(row.getMessage()));
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
	 * A request for all locks of the client: those of its namespace if it has one,
	 * otherwise all in the table. It is carried out by Scan, which <b>reads the whole
	 * table</b> and pays for every item in it, those of other namespaces too: half a read
	 * unit for each 4 KB of a page, or one unit with {@link #consistentRead(boolean)}.
	 * The item of a lock without data has about 200 bytes, which makes a fortieth of a
	 * unit each, and 250 units for 10,000 locks.
	 * @return the request, with the default of every option
	 */
	public static ListRequest all() {
		return new ListRequest(null, DEFAULT_PAGE_SIZE, false, null);
	}

	/**
	 * A request for the locks of one partition, in the order of their sort keys. It is
	 * carried out by Query, which reads and pays for the items of the partition only:
	 * half a read unit for each 4 KB of a page, or one unit with
	 * {@link #consistentRead(boolean)}. In a table without a sort key, it is one lock at
	 * most.
	 * @param partition the partition key of the locks, without the client's namespace
	 * @return the request, with the default of every option
	 * @throws IllegalArgumentException if the partition is empty or longer than 2,048
	 * bytes in UTF-8
	 */
	public static ListRequest partition(String partition) {
		return new ListRequest(LockKey.of(partition).partition(), DEFAULT_PAGE_SIZE, false, null);
	}

	/**
	 * Sets how many items DynamoDB looks at in one call. A page gives fewer locks than
	 * that where the items are of other namespaces or no locks, or have more than 1 MB
	 * together.
	 * @param pageSize the number of items, from 1 to 1000; 100 unless set
	 * @return a request with this page size
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
	 * Sets whether each page shows every write that was acknowledged before the page was
	 * asked for. Without it, a page may lack the last moments, at half the price.
	 * @param consistentRead whether to read consistently, at twice the price;
	 * {@code false} unless set
	 * @return a request with this kind of read
	 */
	public ListRequest consistentRead(boolean consistentRead) {
		return new ListRequest(this.partition, this.pageSize, consistentRead, this.onNotALock);
	}

	/**
	 * Sets who is told of rows that are not locks, which are skipped: a lock's attribute
	 * is missing in them or has another type. Unless set, each is logged as a warning.
	 * @param onNotALock told of each such row when its page is read, by the thread that
	 * reads the stream; the exception says which row it is and what is wrong with it, and
	 * its problem is {@link LockTableException.Problem#NOT_A_LOCK}. What the consumer
	 * throws ends the stream and reaches its reader.
	 * @return a request with this consumer
	 */
	public ListRequest onNotALock(Consumer<LockTableException> onNotALock) {
		return new ListRequest(this.partition, this.pageSize, this.consistentRead,
				Objects.requireNonNull(onNotALock, "onNotALock"));
	}

	/**
	 * The partition to list.
	 * @return the partition key, or empty for all locks
	 */
	public Optional<String> partition() {
		return Optional.ofNullable(this.partition);
	}

	/**
	 * How many items DynamoDB looks at in one call.
	 * @return the number of items
	 */
	public int pageSize() {
		return this.pageSize;
	}

	/**
	 * Whether pages are read consistently.
	 * @return {@code true} if they are, at twice the price
	 */
	public boolean consistentRead() {
		return this.consistentRead;
	}

	/**
	 * Who is told of rows that are not locks.
	 * @return the consumer, or empty if such rows are logged
	 */
	public Optional<Consumer<LockTableException>> onNotALock() {
		return Optional.ofNullable(this.onNotALock);
	}

	/**
	 * The request in one line.
	 */
	@Override
	public String toString() {
		String what = (this.partition == null) ? "all" : "partition=" + this.partition;
		return "ListRequest[" + what + ", pageSize=" + this.pageSize + ", consistentRead=" + this.consistentRead + "]";
	}

}
