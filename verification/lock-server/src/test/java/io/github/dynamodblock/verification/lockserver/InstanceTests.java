/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import com.sun.net.httpserver.HttpServer;
import io.github.dynamodblock.verification.lockserver.Instance.UnexpectedAnswerException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InstanceTests {

	private static final Request LOOK = Request.look("lock", "client");

	private HttpServer server;

	private volatile int status;

	@BeforeEach
	void answerWithTheStatus() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(this.status, -1);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void serverErrorIsUnexpected() {
		this.status = 500;

		assertThatExceptionOfType(UnexpectedAnswerException.class)
			.isThrownBy(() -> new Instance("one", address()).send(LOOK))
			.withMessageStartingWith("one answered 500");
	}

	@Test
	void serverErrorOfAnInstanceThatIsStoppedIsNoAnswer() {
		Instance stopped = Instance.thatIsStopped("one", address());
		this.status = 500;
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> stopped.send(LOOK));

		this.status = 400;
		assertThatExceptionOfType(UnexpectedAnswerException.class).isThrownBy(() -> stopped.send(LOOK));
	}

	private String address() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

}
