/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * The time since this machine was started, suspensions included, as Linux reports it. The
 * file stays open between readings, which is ten times as fast as opening it, until this
 * is closed: no process with an open file can be checkpointed. Thread-safe; readers do
 * not wait for each other.
 */
final class Uptime implements SystemClocks.UptimeSource {

	private static final String FILE = "/proc/uptime";

	private static final int LONGEST = 64;

	/** The open file, which a reader takes out. One that is dropped closes itself. */
	private final AtomicReference<@Nullable RandomAccessFile> open = new AtomicReference<>();

	private volatile boolean closed;

	/**
	 * Reads the uptime.
	 * @return nanoseconds, to hundredths of a second
	 * @throws IOException if the system is not Linux, or hides the file
	 */
	@Override
	public long nanos() throws IOException {
		RandomAccessFile file = this.open.getAndSet(null);
		if (file == null) {
			file = new RandomAccessFile(FILE, "r");
		}
		boolean kept = false;
		try {
			long nanos = read(file);
			kept = this.open.compareAndSet(null, file);
			return nanos;
		}
		finally {
			if (!kept) {
				file.close();
			}
			else if (this.closed) {
				close();
			}
		}
	}

	@Override
	public void close() {
		// In this order: either a reader sees the close, or this sees its file.
		this.closed = true;
		RandomAccessFile file = this.open.getAndSet(null);
		if (file != null) {
			try {
				file.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/** From its beginning, where the kernel writes the present time. */
	private static long read(RandomAccessFile file) throws IOException {
		byte[] bytes = new byte[LONGEST];
		file.seek(0);
		int length = file.read(bytes);
		String text = new String(bytes, 0, Math.max(0, length), StandardCharsets.US_ASCII);
		int end = text.indexOf(' ');
		if (end < 0) {
			throw new IOException(FILE + " has no time: \"" + text + "\"");
		}
		try {
			return (long) (Double.parseDouble(text.substring(0, end)) * 1_000_000_000L);
		}
		catch (NumberFormatException ex) {
			throw new IOException(FILE + " has no time: \"" + text + "\"", ex);
		}
	}

}
