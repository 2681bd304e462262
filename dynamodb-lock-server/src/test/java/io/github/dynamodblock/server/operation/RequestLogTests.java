/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.RawCalls;
import io.github.dynamodblock.server.RunningLockServer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.StoreCalls;
import io.github.dynamodblock.server.security.TokenIssuer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the line that each call leaves in the log.
 */
@RunningLockServer
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class RequestLogTests {

	private static final String INSTANCE_ID = "never-to-be-logged";

	private static final String GET = "GET /v1/{namespace}/lock/{lockName}";

	private static final String ACQUIRE = "POST /v1/{namespace}/lock/{lockName}/acquire";

	private static final String RENEW = "POST /v1/{namespace}/lock/{lockName}/renew";

	private static final String RELEASE = "POST /v1/{namespace}/lock/{lockName}/release";

	private final String trace = UUID.randomUUID().toString().replace("-", "");

	private final String namespace = "request-log-tests-" + this.trace;

	@LocalServerPort
	private int port;

	private LockServerCalls calls() {
		return LockServerCalls.on(this.port);
	}

	/** Makes a call that its trace tells from those of other tests. */
	private Answer traced(String verb, String path, @Nullable String body) {
		return calls().call(verb, path, body,
				(request) -> request.header("traceparent", "00-" + this.trace + "-b7ad6b7169203331-01"));
	}

	/**
	 * The lines of this test. A line may come later than the answer, and then into what
	 * is captured of the next test.
	 */
	private List<JsonNode> lines(CapturedOutput output) {
		return Arrays.stream(output.getOut().split("\\R"))
			.filter((line) -> line.startsWith("{"))
			.map(JsonMapper.shared()::readTree)
			.filter((line) -> line.path("log").path("logger").asString().equals(RequestLog.class.getName()))
			.filter((line) -> line.at("/trace/id").asString("").equals(this.trace)
					|| line.at("/lock/namespace").asString("").equals(this.namespace))
			.toList();
	}

	/** The line comes after the answer. */
	private JsonNode onlyLine(CapturedOutput output) {
		await().untilAsserted(() -> assertThat(lines(output)).hasSize(1));
		return lines(output).get(0);
	}

	@Test
	void aGrantIsToldWithAllThatItIsLookedForBy(CapturedOutput output) {
		Answer granted = calls().acquire(this.namespace, "granted", INSTANCE_ID, 60);
		JsonNode line = onlyLine(output);
		assertThat(line.at("/http/request/method").asString()).isEqualTo("POST");
		assertThat(line.at("/http/route").asString()).isEqualTo("/v1/{namespace}/lock/{lockName}/acquire");
		assertThat(line.at("/http/response/status_code").asInt()).isEqualTo(200);
		assertThat(line.at("/event/duration").asLong()).isPositive();
		assertThat(line.at("/lock/namespace").asString()).isEqualTo(this.namespace);
		assertThat(line.at("/lock/name").asString()).isEqualTo("granted");
		assertThat(line.at("/lock/fencing_token").asLong()).isEqualTo(granted.number("fencingToken")).isPositive();
		assertThat(line.at("/lock/instance").asString()).matches("[A-Za-z0-9_-]{22}");
		assertThat(line.at("/message").asString()).isEqualTo("POST /v1/{namespace}/lock/{lockName}/acquire: 200");
		assertThat(line.at("/error/id").isMissingNode()).isTrue();
	}

	@Test
	void everyCallOfALocksLifeIsOneLine(CapturedOutput output) {
		calls().get(this.namespace, "lived");
		calls().acquire(this.namespace, "lived", INSTANCE_ID, 60);
		calls().get(this.namespace, "lived");
		calls().acquire(this.namespace, "lived", "other-instance", 60);
		calls().renew(this.namespace, "lived", INSTANCE_ID, 60);
		calls().renew(this.namespace, "lived", "other-instance", 60);
		calls().release(this.namespace, "lived", "other-instance");
		calls().release(this.namespace, "lived", INSTANCE_ID);
		await().untilAsserted(() -> assertThat(lines(output)).hasSize(8));
		assertThat(messages(output)).containsExactlyInAnyOrder(GET + ": 200", ACQUIRE + ": 200", GET + ": 200",
				ACQUIRE + ": 423", RENEW + ": 200", RENEW + ": 423", RELEASE + ": 423", RELEASE + ": 200");
		assertThat(output.getOut()).doesNotContain(INSTANCE_ID).doesNotContain("other-instance");
	}

	@ParameterizedTest
	@CsvSource({ "GET,/v1/request-log-tests/lock/x,400", "GET,/v1/nothing/here,404",
			"PUT,/v1/request-log-tests/lock/a-lock,405", "GET,/v1/request-log-tests/lock/a-lock/acquire,405",
			"POST,/v1/request-log-tests/lock/a-lock/renew,400", "GET,/v1//lock/a-lock,400" })
	void aRequestThatIsRefusedIsOneLineWithTheIdOfItsError(String verb, String path, int status,
			CapturedOutput output) {
		Answer answer = traced(verb, path, verb.equals("POST") ? "{}" : null);
		JsonNode line = onlyLine(output);
		assertThat(line.at("/http/response/status_code").asInt()).isEqualTo(status);
		assertThat(line.at("/error/id").asString(null)).isEqualTo(answer.body().path("errorId").asString(null));
	}

	@Test
	void anInstanceIdInTheWrongPlaceIsNotLogged(CapturedOutput output) {
		calls().raw("GET", "/v1/" + this.namespace + "/lock/a-lock?instanceId=" + INSTANCE_ID, null);
		traced("POST", "/v1/" + this.namespace + "/lock/a-lock/release/" + INSTANCE_ID, "{}");
		calls().raw("POST", "/v1/" + this.namespace + "/lock/a-lock/release", "{\"instanceId\": \"" + INSTANCE_ID);
		calls().raw("POST", "/v1/" + this.namespace + "/lock/a-lock/release", "\"" + INSTANCE_ID + "\"");
		calls().raw("POST", "/v1/" + this.namespace + "/lock/a-lock/acquire",
				"{\"instanceId\":\"" + INSTANCE_ID + "\",\"leaseDuration\":\"" + INSTANCE_ID + "\"}");
		await().untilAsserted(() -> assertThat(lines(output)).hasSize(5));
		assertThat(output.getAll()).doesNotContain(INSTANCE_ID);
	}

	@Test
	void theOwnerOfATokenIsFoundInTheLog(CapturedOutput output) throws Exception {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance service = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING)) {
			service.calls(issuer.token("alice")).get(this.namespace, "owned");
		}
		assertThat(onlyLine(output).at("/user/name").asString()).isEqualTo("alice");
	}

	@Test
	void aSubjectIsLoggedInFull(CapturedOutput output) throws Exception {
		String longest = "s".repeat(255);
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance service = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING)) {
			service.calls(issuer.token(longest)).get(this.namespace, "owned");
		}
		assertThat(onlyLine(output).at("/user/name").asString()).isEqualTo(longest);
	}

	@Test
	void theLineHasTheCallersAddress(CapturedOutput output) {
		calls().get(this.namespace, "addressed");
		assertThat(onlyLine(output).at("/client/ip").asString()).isEqualTo("127.0.0.1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/%76%31/", "/v%31/", "/v1/" })
	void aCallIsLoggedHoweverItsPathIsSpelled(String prefix, CapturedOutput output) {
		Answer granted = traced("POST", prefix + this.namespace + "/lock/spelled/acquire",
				"{\"instanceId\":\"instance\",\"leaseDuration\":60}");
		assertThat(granted.status()).isEqualTo(200);
		assertThat(onlyLine(output).at("/lock/name").asString()).isEqualTo("spelled");
	}

	@Test
	void theReasonOfARefusalIsLogged(CapturedOutput output) throws Exception {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance service = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
						"lock-server.rules[0].claim=scope", "lock-server.rules[0].value=billing",
						"lock-server.rules[0].namespaces=billing")) {
			assertThat(reason(service.calls(), output)).contains("authentication is required");
			assertThat(reason(service.calls(issuer.token((claims) -> claims.audience("other"))), output))
				.contains("aud claim");
			assertThat(reason(service.calls(issuer.token("alice")), output))
				.isEqualTo("no rule in lock-server.rules allows this token the namespace '" + this.namespace + "'");
		}
		try (ServiceInstance service = ServiceInstance.start(
				"spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:1/keys",
				"authentication.any-audience=true"); TokenIssuer issuer = TokenIssuer.start()) {
			assertThat(reason(service.calls(issuer.token("alice")), output)).contains("keys are not available",
					"Connection refused");
		}
	}

	/** Makes a call and returns the reason in its line, the last one. */
	private String reason(LockServerCalls calls, CapturedOutput output) {
		int before = lines(output).size();
		calls.call("GET", "/v1/" + this.namespace + "/lock/refused", null,
				(request) -> request.header("traceparent", "00-" + this.trace + "-b7ad6b7169203331-01"));
		await().until(() -> lines(output).size() > before);
		return lines(output).get(before).at("/event/reason").asString();
	}

	@Test
	void anUnknownMethodIsNotLogged(CapturedOutput output) {
		traced("M".repeat(3500), "/v1/" + this.namespace + "/lock/a-lock", null);
		JsonNode line = onlyLine(output);
		assertThat(line.at("/http/request/method").asString()).isEqualTo("UNKNOWN");
		assertThat(line.at("/message").asString()).startsWith("UNKNOWN /").hasSizeLessThan(100);
	}

	@Test
	void theCallersTraceIsFoundInTheLog(CapturedOutput output) {
		traced("GET", "/v1/" + this.namespace + "/lock/traced", null);
		assertThat(onlyLine(output).at("/trace/id").asString()).isEqualTo(this.trace);
	}

	@Test
	void aTraceThatIsNoneIsNotLogged(CapturedOutput output) {
		calls().call("GET", "/v1/" + this.namespace + "/lock/traced", null,
				(request) -> request.header("traceparent", "00-nonsense-b7ad6b7169203331-01"));
		assertThat(onlyLine(output).at("/trace").isMissingNode()).isTrue();
	}

	@Test
	void anOverlongNameIsCut(CapturedOutput output) {
		calls().get(this.namespace, "n".repeat(1000));
		assertThat(onlyLine(output).at("/lock/name").asString()).isEqualTo("n".repeat(255) + "...");
	}

	@Test
	void aCallerThatGoesAwayInTheMiddleOfItsRequestIsOneLine(CapturedOutput output) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.getOutputStream()
				.write(("POST /v1/" + this.namespace + "/lock/left/acquire HTTP/1.1\r\nHost: localhost\r\n"
						+ "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"instanceId\":\""
						+ INSTANCE_ID)
					.getBytes(StandardCharsets.US_ASCII));
		}
		assertThat(onlyLine(output).at("/http/route").asString()).endsWith("/acquire");
		assertThat(output.getAll()).doesNotContain(INSTANCE_ID);
	}

	@Test
	void aCallerThatResetsItsConnectionWhileItsCallIsUnderWayIsOneLine(CapturedOutput output) {
		StoreCalls store = new StoreCalls();
		try (ServiceInstance instance = ServiceInstance.start(store, "authentication.disabled=true")) {
			store.holdUp(this.namespace);
			RawCalls caller = RawCalls.to(instance).send(RawCalls.acquire(this.namespace, "reset"));
			await().until(() -> store.made().contains(StoreCalls.WRITE));
			caller.reset();
			store.mend();
			await().until(() -> !lines(output).isEmpty());
			await().until(() -> !instance.calls().get(this.namespace, "reset").body().has("owner"));
			assertThat(messages(output)).containsOnlyOnce(ACQUIRE + ": 503");
		}
	}

	@Test
	void aStreamIsOneLineAndThatWhenItsCallerLeaves(CapturedOutput output) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.getOutputStream()
				.write(("GET /v1/locks?namespace=" + this.namespace + " HTTP/1.1\r\nHost: localhost\r\n"
						+ "traceparent: 00-" + this.trace + "-b7ad6b7169203331-01\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			// An answer has begun.
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			calls().acquire(this.namespace, "watched", INSTANCE_ID, 60);
			assertThat(onlyLine(output).at("/http/route").asString()).endsWith("/acquire");
			socket.setSoLinger(true, 0);
		}
		// Who has gone is noticed when there is something to tell.
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			calls().acquire(this.namespace, "watched", INSTANCE_ID, 60);
			return lines(output).stream().anyMatch((line) -> line.at("/http/route").asString().equals("/v1/locks"));
		});
		calls().get(this.namespace, "the-last");
		await().untilAsserted(() -> assertThat(messages(output)).contains(GET + ": 200"));
		assertThat(messages(output)).filteredOn((message) -> message.startsWith("GET /v1/locks"))
			.containsExactly("GET /v1/locks: 200");
	}

	private List<String> messages(CapturedOutput output) {
		return lines(output).stream().map((line) -> line.at("/message").asString()).toList();
	}

	@Test
	void whatIsNoCallOfALockIsNotLogged(CapturedOutput output) {
		for (String path : List.of("/", "/swagger-ui/", "/openapi.yaml", "/v10/nothing", "/nothing")) {
			traced("GET", path, null);
		}
		calls().get(this.namespace, "the-last");
		assertThat(onlyLine(output).at("/lock/name").asString()).isEqualTo("the-last");
	}

}
