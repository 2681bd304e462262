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
 * One watcher of the list. Writing to it does not block, so a slow watcher occupies no
 * thread and delays no other watcher. Newer content replaces content that it has not read
 * yet. Thread-safe.
 */
final class Watcher implements WriteListener, AsyncListener {

	private final @Nullable String namespace;

	private final String owner;

	private final AsyncContext context;

	private final ServletOutputStream output;

	private Runnable onEnd = () -> {
	};

	/** The content that was offered last, even if it has not been written yet. */
	private @Nullable Object latest;

	private byte @Nullable [] unwritten = Event.KEEP_ALIVE;

	private boolean unflushed;

	/** Nothing may be written before the container allows it for the first time. */
	private boolean writable;

	private boolean ending;

	private boolean ended;

	/**
	 * Creates a watcher.
	 * @param namespace the namespace that it watches, or {@code null} for all
	 * @param owner the owner that sent its request
	 * @param context the asynchronous context of its request
	 * @param output the output of its response
	 */
	Watcher(@Nullable String namespace, String owner, AsyncContext context, ServletOutputStream output) {
		this.namespace = namespace;
		this.owner = owner;
		this.context = context;
		this.output = output;
	}

	/**
	 * Sets the action that runs when it no longer watches.
	 * @param onEnd the action, which may run more than once
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
	 * Sends an event to the watcher, unless it already has the same content.
	 */
	synchronized void offer(Event event) {
		if (!event.news().equals(this.latest)) {
			this.latest = event.news();
			this.unwritten = event.bytes();
			write();
		}
	}

	/**
	 * Writes a comment, which watchers skip, to detect that the watcher has gone.
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
		// Do not wait for a slow watcher.
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
			// The watcher has gone. The container notifies the listener, or has done so.
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
