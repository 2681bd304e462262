/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections of strangers, who send the beginning of a request and then nothing. Those
 * that the server closes or answers are opened again.
 */
final class Strangers implements Runnable, AutoCloseable {

	private final Selector selector;

	private final List<Kind> kinds;

	private final AtomicInteger opened = new AtomicInteger();

	private final Thread thread = new Thread(this, "strangers");

	private final ByteBuffer ignored = ByteBuffer.allocate(8192);

	private volatile boolean ending;

	/**
	 * Sends strangers.
	 * @param kinds how many of them do what
	 */
	Strangers(List<Kind> kinds) throws IOException {
		this.selector = Selector.open();
		this.kinds = kinds;
		this.thread.start();
	}

	/** Returns how many connections were opened, the renewed ones included. */
	int opened() {
		return this.opened.get();
	}

	@Override
	public void run() {
		try (this.selector) {
			for (Kind kind : this.kinds) {
				for (int i = 0; i < kind.count(); i++) {
					open(kind);
					this.selector.selectNow(this::proceed);
				}
			}
			while (!this.ending) {
				this.selector.select(this::proceed, 100);
			}
			for (SelectionKey key : this.selector.keys()) {
				key.channel().close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void open(Kind kind) throws IOException {
		SocketChannel channel = SocketChannel.open();
		channel.configureBlocking(false);
		// Otherwise, closed connections would use up the ports.
		channel.setOption(StandardSocketOptions.SO_LINGER, 0);
		channel.register(this.selector, SelectionKey.OP_CONNECT, kind);
		channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), kind.port()));
	}

	private void proceed(SelectionKey key) {
		SocketChannel channel = (SocketChannel) key.channel();
		Kind kind = (Kind) key.attachment();
		try {
			if (key.isConnectable() && channel.finishConnect()) {
				this.opened.incrementAndGet();
				channel.write(ByteBuffer.wrap(kind.text().getBytes(StandardCharsets.US_ASCII)));
				key.interestOps(SelectionKey.OP_READ);
			}
			else if (key.isReadable()) {
				// A response ends the request; the next connection sends another one.
				this.ignored.clear();
				channel.read(this.ignored);
				reopen(channel, kind);
			}
		}
		catch (IOException ex) {
			reopen(channel, kind);
		}
	}

	private void reopen(SocketChannel channel, Kind kind) {
		try {
			channel.close();
			open(kind);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.ending = true;
		this.thread.join();
	}

	/**
	 * What some of the strangers do.
	 *
	 * @param count how many they are
	 * @param port where they connect to
	 * @param text what each of them sends
	 */
	record Kind(int count, int port, String text) {

	}

}
