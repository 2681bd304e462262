/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.io.IOException;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the list. Written to without blocking, so that one who reads slowly costs
 * no thread and delays no other reader: what it has not read is replaced by what is
 * newer. Thread-safe.
 */
final class Watcher implements WriteListener, AsyncListener {

	private final @Nullable String namespace;

	private final String owner;

	private final AsyncContext context;

	private final ServletOutputStream output;

	private Runnable onEnd = () -> {
	};

	/** What was offered last, whether or not it is written. */
	private @Nullable Object latest;

	private byte @Nullable [] unwritten = Event.KEEP_ALIVE;

	private boolean unflushed;

	/** Nothing may be written before the container says so for the first time. */
	private boolean writable;

	private boolean ending;

	private boolean ended;

	/**
	 * Creates a watcher.
	 * @param namespace whose locks it watches, or {@code null} for all
	 * @param owner in whose name it watches
	 * @param context its request, as the container keeps it
	 * @param output where to write
	 */
	Watcher(@Nullable String namespace, String owner, AsyncContext context, ServletOutputStream output) {
		this.namespace = namespace;
		this.owner = owner;
		this.context = context;
		this.output = output;
	}

	/**
	 * Sets what is done when it watches no longer.
	 * @param onEnd is run once or more often
	 */
	synchronized void onEnd(Runnable onEnd) {
		this.onEnd = onEnd;
	}

	@Nullable String namespace() {
		return this.namespace;
	}

	String owner() {
		return this.owner;
	}

	/**
	 * Notifies the watcher, unless it has the same news.
	 */
	synchronized void offer(Event event) {
		if (!event.news().equals(this.latest)) {
			this.latest = event.news();
			this.unwritten = event.bytes();
			write();
		}
	}

	/**
	 * Writes what readers skip, so that one who has gone is noticed.
	 */
	synchronized void keepAlive() {
		if (this.unwritten == null) {
			this.unwritten = Event.KEEP_ALIVE;
			write();
		}
	}

	/**
	 * Ends the stream.
	 */
	synchronized void end() {
		this.ending = true;
		// What a slow reader has not taken is not waited for.
		this.unwritten = null;
		this.unflushed = false;
		write();
	}

	private void write() {
		if (!this.writable || this.ended) {
			return;
		}
		try {
			while ((this.unwritten != null || this.unflushed) && this.output.isReady()) {
				if (this.unwritten != null) {
					byte[] bytes = this.unwritten;
					this.unwritten = null;
					this.unflushed = true;
					this.output.write(bytes);
				}
				else {
					this.unflushed = false;
					this.output.flush();
				}
			}
			if (this.ending) {
				complete();
			}
		}
		catch (IOException | RuntimeException ex) {
			// The reader has gone; the container tells the listener, or has done so.
			this.ended = true;
			this.onEnd.run();
		}
	}

	private void complete() {
		if (!this.ended) {
			this.ended = true;
			this.context.complete();
		}
	}

	@Override
	public synchronized void onWritePossible() {
		this.writable = true;
		write();
	}

	@Override
	public synchronized void onError(Throwable ex) {
		this.onEnd.run();
	}

	@Override
	public synchronized void onTimeout(AsyncEvent event) {
		complete();
	}

	@Override
	public synchronized void onError(AsyncEvent event) {
		this.ended = true;
		// Otherwise the container would send its error page to a reader that has gone.
		this.context.complete();
	}

	@Override
	public synchronized void onComplete(AsyncEvent event) {
		this.ended = true;
		this.onEnd.run();
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
		// A watcher's request is started once.
	}

}
