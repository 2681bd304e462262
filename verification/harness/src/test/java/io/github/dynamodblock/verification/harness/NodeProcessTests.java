/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(120)
class NodeProcessTests {

	private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

	@TempDir
	private Path logs;

	@Test
	void nodeThatIsUpHasAnAddress() throws Exception {
		try (NodeProcess node = start(Server.class)) {
			assertThat(node.awaitReady()).isEqualTo("http://here");
		}

		assertThat(next().what()).isEqualTo(Event.READY);
		assertThat(next().numbers()).containsExactly(0L);
	}

	@Test
	void nodeThatEndsOnItsOwnIsReportedWithItsStatus() throws Exception {
		try (NodeProcess node = start(ShortLived.class)) {
			assertThatExceptionOfType(DemoFailedException.class).isThrownBy(node::awaitEnd)
				.withMessageContaining("node ended on its own with status 3")
				.withMessageEndingWith("node.log");
			assertThatExceptionOfType(DemoFailedException.class).isThrownBy(node::awaitReady);
		}
	}

	@Test
	void endOfANodeThatWasKilledTerminatedOrAskedToEndIsExpected() throws Exception {
		NodeProcess killed = start(Echo.class);
		killed.kill();
		killed.awaitEnd();
		NodeProcess stopped = start(Echo.class);
		stopped.askToEnd();
		stopped.awaitEnd();
		NodeProcess terminated = start(Echo.class);
		terminated.terminate();
		terminated.awaitEnd();
	}

	@Test
	void eventsThatANodeReportedBeforeItWasKilledAreNotLost() throws Exception {
		CountDownLatch killed = new CountDownLatch(1);
		Path reported = this.logs.resolve("reported");
		List<String> command = List.of(ReportsTwice.class.getName(), reported.toString());
		try (NodeProcess node = NodeProcess.start("node", this.logs, "32m", command, (event) -> {
			this.events.add(event);
			awaitUninterruptibly(killed);
		})) {
			assertThat(next().what()).isEqualTo("FIRST");
			node.send("go on");
			await().until(() -> Files.exists(reported));
			node.kill();
			killed.countDown();
			assertThat(next().what()).isEqualTo("SECOND");
			assertThat(next().what()).isEqualTo(Event.ENDED);
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void pausedNodeExecutesNothingUntilItIsResumed() throws Exception {
		try (NodeProcess node = start(Echo.class)) {
			node.send("ready");
			assertThat(next().subject()).isEqualTo("ready");
			node.pause();

			assertThat(state(node)).startsWith("T");
			node.send("hello");
			node.resume();
			assertThat(next().subject()).isEqualTo("hello");
			assertThat(state(node)).doesNotStartWith("T");
		}
	}

	@Test
	void pausedNodeEndsInOrder() throws Exception {
		try (NodeProcess node = start(Echo.class)) {
			node.send("ready");
			assertThat(next().subject()).isEqualTo("ready");
			node.pause();
		}

		Event end = next();
		assertThat(end.what()).isEqualTo(Event.ENDED);
		assertThat(end.numbers()).containsExactly(0L);
	}

	@Test
	void nodesDoNotOutliveTheDemoThoughItIsKilledAndTheyArePaused() throws Exception {
		long running;
		long paused;
		try (NodeProcess demo = start(DemoOfTwoNodes.class, this.logs.toString())) {
			running = next().number(0);
			paused = next().number(0);
			demo.kill();
			demo.awaitEnd();
		}

		await().atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(List.of(running, paused)).noneMatch(NodeProcessTests::isAlive));
	}

	private static boolean isAlive(long pid) {
		return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
	}

	@Test
	void nodeHasTheCredentialsOfThisProcessOnlyIfItsEnvironmentIsInherited() throws Exception {
		for (NodeProcess.Environment environment : NodeProcess.Environment.values()) {
			try (NodeProcess node = NodeProcess.start("node", this.logs, "32m", System.getProperty("java.class.path"),
					List.of(Credentials.class.getName()), environment, this.events::add)) {
				node.askToEnd();
			}
			String expected = (environment == NodeProcess.Environment.LOCAL) ? "local"
					: String.valueOf(System.getenv("AWS_ACCESS_KEY_ID"));
			assertThat(next().subject()).isEqualTo(expected);
			assertThat(next().what()).isEqualTo(Event.ENDED);
		}
	}

	private NodeProcess start(Class<?> mainClass, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(mainClass.getName()));
		command.addAll(List.of(arguments));
		return NodeProcess.start("node", this.logs, "32m", command, this.events::add);
	}

	private Event next() throws InterruptedException {
		Event event = this.events.poll(60, TimeUnit.SECONDS);
		assertThat(event).as("the next event").isNotNull();
		return event;
	}

	private static String state(NodeProcess node) throws IOException {
		Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(node.pid())).start();
		return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	static final class Server {

		private Server() {
		}

		public static void main(String[] args) throws IOException {
			ParentProcess.serve("http://here");
		}

	}

	static final class ReportsTwice {

		private ReportsTwice() {
		}

		public static void main(String[] args) throws Exception {
			Reporter.toParent().report("FIRST", "");
			ParentProcess.takeOrders((order) -> {
				Reporter.toParent().report("SECOND", "");
				create(Path.of(args[0]));
			});
		}

	}

	private static void create(Path file) {
		try {
			Files.createFile(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static final class ShortLived {

		private ShortLived() {
		}

		public static void main(String[] args) {
			System.exit(3);
		}

	}

	static final class Echo {

		private Echo() {
		}

		public static void main(String[] args) throws IOException {
			ParentProcess.takeOrders((order) -> Reporter.toParent().report("ECHO", order));
		}

	}

	static final class Credentials {

		private Credentials() {
		}

		public static void main(String[] args) {
			Reporter.toParent().report("KEY", String.valueOf(System.getenv("AWS_ACCESS_KEY_ID")));
		}

	}

	static final class DemoOfTwoNodes {

		private DemoOfTwoNodes() {
		}

		public static void main(String[] args) throws Exception {
			Path logs = Path.of(args[0]);
			NodeProcess running = NodeProcess.start("running", logs, "32m", List.of(Server.class.getName()),
					(event) -> {
					});
			NodeProcess paused = NodeProcess.start("paused", logs, "32m", List.of(Server.class.getName()), (event) -> {
			});
			running.awaitReady();
			paused.awaitReady();
			paused.pause();
			Reporter.toParent().report("STARTED", "running", running.pid());
			Reporter.toParent().report("STARTED", "paused", paused.pid());
			ParentProcess.takeOrders((order) -> {
			});
		}

	}

}
