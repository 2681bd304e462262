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

	private volatile String contentType = "application/problem+json";

	@BeforeEach
	void answerWithTheStatus() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			exchange.getResponseHeaders().set("Content-Type", this.contentType);
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

	@Test
	void errorPageOfTheWebContainerOfAnInstanceThatIsStoppedIsNoAnswer() {
		this.status = 400;
		this.contentType = "text/html;charset=utf-8";

		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> Instance.thatIsStopped("one", address()).send(LOOK));
		assertThatExceptionOfType(UnexpectedAnswerException.class)
			.isThrownBy(() -> new Instance("one", address()).send(LOOK));
	}

	private String address() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

}
