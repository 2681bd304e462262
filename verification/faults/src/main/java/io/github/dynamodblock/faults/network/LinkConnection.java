/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.faults.worker.GuardedCounter;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a link: one call after the other, each with its fate.
 */
final class LinkConnection implements Runnable {

	private static final HttpMessage THROTTLED = HttpMessage.answer(400,
			"{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\","
					+ "\"message\":\"The fault run throttles this call\"}");

	private static final HttpMessage SERVER_ERROR = HttpMessage.answer(500,
			"{\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\","
					+ "\"message\":\"The fault run hides the answer\"}");

	private static final String TRANSACTION = "DynamoDB_20120810.TransactWriteItems";

	private final FaultyLink link;

	private final Socket client;

	private @Nullable Socket server;

	private @Nullable InputStream answers;

	LinkConnection(FaultyLink link, Socket client) {
		this.link = link;
		this.client = client;
	}

	@Override
	public void run() {
		try {
			// Not closed here: a close is another end than a reset.
			InputStream in = new BufferedInputStream(this.client.getInputStream());
			for (HttpMessage request = HttpMessage.read(in); request != null; request = HttpMessage.read(in)) {
				this.link.meter().count(request);
				this.link.pass();
				carry(request, this.link.nextFault());
			}
		}
		catch (IOException ex) {
			// One of the two has hung up, or the link is to break here: so it does.
			FaultyLink.reset(this.client);
		}
		finally {
			this.link.forget(this.client);
			disconnect();
		}
	}

	private void carry(HttpMessage request, CallFault fault) throws IOException {
		switch (fault) {
			case REQUEST_LOST -> throw new IOException("The request is lost");
			case THROTTLED -> answer(THROTTLED);
			case SERVER_ERROR -> {
				call(request);
				answer(SERVER_ERROR);
			}
			case ANSWER_LOST -> {
				call(request);
				throw new IOException("The answer is lost");
			}
			case ANSWER_CUT -> {
				byte[] bytes = call(request).bytes();
				this.client.getOutputStream().write(bytes, 0, bytes.length / 2);
				throw new IOException("The answer is cut");
			}
			case REQUEST_LATE -> {
				sleep();
				answer(call(request));
			}
			case REQUEST_TWICE -> {
				HttpMessage answer = call(request);
				answer(answer);
				// Its sender has learned that nothing was written, and relies on it.
				if (!answer.contains("TransactionCanceledException")) {
					FaultyLink.thread("link-again", () -> callAgain(request));
				}
			}
			case NONE -> answer(call(request));
		}
	}

	private void answer(HttpMessage answer) throws IOException {
		this.link.pass();
		this.client.getOutputStream().write(answer.bytes());
	}

	/** A connection to DynamoDB may have been closed since its last call. */
	private HttpMessage call(HttpMessage request) throws IOException {
		Socket open = this.server;
		InputStream in = this.answers;
		if (open == null || in == null) {
			open = this.link.connect();
			in = new BufferedInputStream(open.getInputStream());
			this.server = open;
			this.answers = in;
		}
		HttpMessage answer = exchange(open, in, request);
		if (request.contains(TRANSACTION)) {
			awaitCommit(open, in, request);
		}
		this.link.answered(answer);
		if ("close".equalsIgnoreCase(answer.header("connection"))) {
			disconnect();
		}
		return answer;
	}

	/**
	 * DynamoDB Local answers a transaction before it commits it, and would forget it if
	 * it were killed in between. It answers a read afterwards.
	 */
	private static void awaitCommit(Socket open, InputStream in, HttpMessage transaction) throws IOException {
		String authorization = transaction.header("authorization");
		HttpMessage read = exchange(open, in,
				HttpMessage.request("DynamoDB_20120810.GetItem", (authorization != null) ? authorization : "",
						"{\"TableName\":\"" + GuardedCounter.TABLE + "\",\"Key\":{\"key\":{\"S\":\"none\"}}}"));
		if (!read.isOk()) {
			throw new IOException("DynamoDB did not answer the read after a transaction");
		}
	}

	private static HttpMessage exchange(Socket open, InputStream in, HttpMessage request) throws IOException {
		open.getOutputStream().write(request.bytes());
		HttpMessage answer = HttpMessage.read(in);
		if (answer == null) {
			throw new EOFException("DynamoDB has hung up");
		}
		return answer;
	}

	private void callAgain(HttpMessage request) {
		LinkConnection another = new LinkConnection(this.link, this.client);
		try {
			sleep();
			another.call(request);
		}
		catch (IOException ex) {
			// Then it came only once.
		}
		finally {
			another.disconnect();
		}
	}

	private void sleep() throws IOException {
		try {
			TimeUnit.NANOSECONDS.sleep(this.link.nextLateness().toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted", ex);
		}
	}

	private void disconnect() {
		Socket open = this.server;
		if (open != null) {
			this.link.forget(open);
		}
		this.server = null;
		this.answers = null;
	}

}
