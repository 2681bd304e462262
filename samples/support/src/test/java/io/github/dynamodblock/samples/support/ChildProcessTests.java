/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class ChildProcessTests {

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	@TempDir
	Path logs;

	@Test
	void pausedChildStandsStillAndAnswersWhenItGoesOn() throws Exception {
		try (ChildProcess child = startEcho()) {
			child.pause();

			assertThat(state(child)).startsWith("T");
			child.send("hello");
			child.resume();
			assertThat(this.lines.poll(60, TimeUnit.SECONDS)).isEqualTo("hello");
			assertThat(state(child)).doesNotStartWith("T");
		}
	}

	@Test
	void pausedChildEndsInOrder() throws Exception {
		try (ChildProcess child = startEcho()) {
			child.pause();
		}

		assertThat(this.lines.poll(60, TimeUnit.SECONDS)).isEqualTo("ended with 0");
	}

	private ChildProcess startEcho() throws Exception {
		ChildProcess child = ChildProcess.start("echo", this.logs.resolve("echo.log"), "32m", Echo.class, List.of(),
				new ChildProcess.Listener() {

					@Override
					public void onLine(String line) {
						ChildProcessTests.this.lines.add(line);
					}

					@Override
					public void onEnd(Instant time, int status) {
						ChildProcessTests.this.lines.add("ended with " + status);
					}

				});
		child.send("ready");
		assertThat(this.lines.poll(60, TimeUnit.SECONDS)).isEqualTo("ready");
		return child;
	}

	private static String state(ChildProcess child) throws IOException {
		Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(child.pid())).start();
		return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	static final class Echo {

		private Echo() {
		}

		public static void main(String[] args) throws IOException {
			ParentProcess.takeOrders(System.out::println);
		}

	}

}
