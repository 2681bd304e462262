/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.LockServerApplication;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;

import org.springframework.core.env.PropertyResolver;

/**
 * Lets strangers attack one instance of the lock server while DynamoDB hangs, and checks
 * that the process lives and responds.
 */
public final class Attack {

	private static final String MEMORY = "384m";

	private static final int IDLE = 8000;

	private static final int SLOW_BODIES = 1000;

	private static final int READINESS = 400;

	private static final int CLIENTS = 20;

	private static final Duration TIME = Duration.ofSeconds(25);

	private static final Duration LIVENESS_LIMIT = Duration.ofSeconds(1);

	/** A machine that is busy may delay a single probe. */
	private static final int LIVENESS_TRIES = 3;

	/** The default of lock-server.request-timeout, and time to connect. */
	private static final Duration CALL_LIMIT = Duration.ofSeconds(20);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final List<String> violations = new ArrayList<>();

	private final Map<Integer, Integer> statuses = new TreeMap<>();

	private final Demo demo;

	private int probes;

	private Duration slowest = Duration.ZERO;

	private Attack(Demo demo) {
		this.demo = demo;
	}

	/**
	 * Runs and exits this process.
	 * @param args {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, Attack::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver options) {
		return (demo) -> new Attack(demo).run();
	}

	private Verdict run() throws IOException, InterruptedException, DemoFailedException {
		this.demo.startDynamoDb();
		int management = freePort();
		NodeProcess server = this.demo.startNode("lock-server", MEMORY, List.of(LockServerApplication.class),
				"--authentication.disabled=true", "--management.server.port=" + management,
				"--management.server.address=127.0.0.1", "--logging.level.root=WARN");
		URI address = URI.create(server.awaitReady());
		say("The lock server is up with " + MEMORY + " of heap; DynamoDB stops responding");
		URI health = URI.create("http://127.0.0.1:" + management + "/actuator/health/");
		// As an orchestrator does that has asked before.
		if (!answers(health.resolve("readiness")) || !connect(address)) {
			return Verdict.failed("the server does not work before the attack");
		}
		this.demo.dynamoDb().pause();
		List<Strangers.Kind> kinds = List.of(new Strangers.Kind(IDLE, address.getPort(), "GET / HT"),
				new Strangers.Kind(SLOW_BODIES, address.getPort(),
						"POST /v1/trial/lock/slow-body/acquire HTTP/1.1\r\nHost: localhost\r\n"
								+ "Content-Length: 1000\r\n\r\n{"),
				new Strangers.Kind(READINESS, management,
						"GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n\r\n"));
		int opened;
		try (Strangers strangers = new Strangers(kinds)) {
			say("Strangers open " + IDLE + " idle connections, " + SLOW_BODIES + " slow bodies and " + READINESS
					+ " readiness calls, again and again for " + TIME.toSeconds() + " s");
			attack(address, health.resolve("liveness"));
			opened = strangers.opened();
		}
		this.demo.dynamoDb().resume();
		require(opened >= IDLE + SLOW_BODIES + READINESS, "only " + opened + " connections were opened");
		require(worksAgain(address), "no lock was granted after the attack");
		return new Verdict(this.violations,
				opened + " connections of strangers; " + this.probes + " liveness probes, the slowest in "
						+ this.slowest.toMillis() + " ms; calls by status: " + this.statuses);
	}

	/** Clients keep their connections. */
	private boolean connect(URI address) {
		List<CompletableFuture<Integer>> calls = IntStream.range(0, CLIENTS)
			.mapToObj((number) -> call(address, "before-" + number))
			.toList();
		return calls.stream().allMatch((call) -> call.join() == 200);
	}

	private void attack(URI address, URI liveness) throws InterruptedException {
		List<CompletableFuture<Integer>> calls = new ArrayList<>();
		for (long end = System.nanoTime() + TIME.toNanos(); System.nanoTime() < end; Thread.sleep(500)) {
			if (calls.stream().filter((call) -> !call.isDone()).count() < CLIENTS / 2) {
				calls.add(call(address, "during-" + calls.size()));
			}
			require(isAlive(liveness), "liveness took more than " + LIVENESS_LIMIT.toSeconds() + " s");
		}
		for (CompletableFuture<Integer> call : calls) {
			int status = call.join();
			this.statuses.merge(status, 1, Integer::sum);
			require(List.of(200, 423, 503).contains(status), "a call of a client ended with " + status);
		}
	}

	private boolean isAlive(URI liveness) {
		for (int i = 0; i < LIVENESS_TRIES; i++) {
			long start = System.nanoTime();
			this.probes++;
			boolean answered = answers(liveness);
			Duration time = Duration.ofNanos(System.nanoTime() - start);
			this.slowest = (time.compareTo(this.slowest) > 0) ? time : this.slowest;
			if (answered && time.compareTo(LIVENESS_LIMIT) <= 0) {
				return true;
			}
		}
		return false;
	}

	/** Each probe is a new connection, as those of orchestrators are. */
	private static boolean answers(URI liveness) {
		try {
			HttpURLConnection probe = (HttpURLConnection) liveness.toURL().openConnection(Proxy.NO_PROXY);
			probe.setRequestProperty("Connection", "close");
			probe.setConnectTimeout((int) LIVENESS_LIMIT.toMillis());
			probe.setReadTimeout((int) LIVENESS_LIMIT.toMillis());
			return probe.getResponseCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private boolean worksAgain(URI address) throws InterruptedException {
		for (int i = 0; i < 30; i++) {
			if (call(address, "after-" + i).join() == 200) {
				return true;
			}
			Thread.sleep(1000);
		}
		return false;
	}

	/** A status, or 0 if there was no response in time. */
	private CompletableFuture<Integer> call(URI address, String lock) {
		HttpRequest request = HttpRequest.newBuilder(address.resolve("/v1/trial/lock/" + lock + "/acquire"))
			.timeout(CALL_LIMIT)
			.POST(BodyPublishers.ofString("{\"instanceId\":\"client\",\"leaseDuration\":60}"))
			.build();
		return this.client.sendAsync(request, BodyHandlers.discarding())
			.handle((response, failure) -> (failure != null) ? 0 : response.statusCode());
	}

	private void require(boolean condition, String otherwise) {
		if (!condition) {
			say(otherwise);
			this.violations.add(otherwise);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private void say(String line) {
		this.demo.console().say(line);
	}

}
