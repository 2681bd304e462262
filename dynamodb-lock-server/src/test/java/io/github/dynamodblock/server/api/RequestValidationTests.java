/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockServer
class RequestValidationTests {

	private static final String LOCK = "/v1/validation/lock/";

	private static final String NAMESPACE_LENGTH = "Parameter 'namespace' failed validation: Namespace must be between 3 and 64 characters long";

	private static final String NAMESPACE_PATTERN = "Parameter 'namespace' failed validation: Namespace must be alphanumeric with dashes and underscores only";

	private static final String NAME_LENGTH = "Parameter 'lockName' failed validation: Lock name must be between 3 and 64 characters long";

	private static final String NAME_PATTERN = "Parameter 'lockName' failed validation: Lock name must be alphanumeric with dashes and underscores only";

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '%',
			textBlock = """
					{"instanceId":"one","leaseDuration":86401} | $.leaseDuration: must have a maximum value of 86400
					{"instanceId":"one","leaseDuration":0}     | $.leaseDuration: must have a minimum value of 1
					{"instanceId":"one","leaseDuration":-5}    | $.leaseDuration: must have a minimum value of 1
					{"instanceId":"one","leaseDuration":60.5}  | $.leaseDuration: number found, integer expected
					{"instanceId":"one","leaseDuration":"60"}  | $.leaseDuration: string found, integer expected
					{"instanceId":"one","leaseDuration":null}  | $.leaseDuration: null found, integer expected
					{"instanceId":"one","leaseDuration":true}  | $.leaseDuration: boolean found, integer expected
					{"instanceId":"one","leaseDuration":[60]}  | $.leaseDuration: array found, integer expected
					{"instanceId":"one","leaseDuration":99999999999999999999999} | $.leaseDuration: must have a maximum value of 86400
					{"instanceId":"one","leaseDuration":1e300} | $: contains a number that is out of range
					{"instanceId":"one"}                       | $: required property 'leaseDuration' not found
					{"leaseDuration":60}                       | $: required property 'instanceId' not found
					{"instanceId":"one","leaseDuration":60,"foo":"bar"} | $: property 'foo' is not defined in the schema and the schema does not allow additional properties
					{"instanceId":"ab","leaseDuration":60}     | $.instanceId: must be at least 3 characters long
					{"instanceId":"a b c","leaseDuration":60}  | $.instanceId: does not match the regex pattern ^[A-Za-z0-9_-]+$
					{"instanceId":"abc\\n","leaseDuration":60} | $.instanceId: does not match the regex pattern ^[A-Za-z0-9_-]+$
					{"instanceId":"äöü","leaseDuration":60}    | $.instanceId: does not match the regex pattern ^[A-Za-z0-9_-]+$
					{"instanceId":42,"leaseDuration":60}       | $.instanceId: integer found, string expected
					[]                                         | $: array found, object expected
					null                                       | $: null found, object expected
					"one"                                      | $: string found, object expected
					""")
	void aBodyThatBreaksItsSchemaIsRefusedWithTheRuleThatItBreaks(String body, String detail) {
		for (String call : List.of("acquire", "renew")) {
			assertThat(invalidBody("body/" + call, body)).containsExactly(detail);
		}
	}

	@Test
	void anInstanceIdMayNotBeLongerThan64Characters() {
		String body = "{\"instanceId\":\"" + "a".repeat(65) + "\",\"leaseDuration\":60}";

		assertThat(invalidBody("body/acquire", body))
			.containsExactly("$.instanceId: must be at most 64 characters long");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '%',
			textBlock = """
					{"instanceId":"ab"} | $.instanceId: must be at least 3 characters long
					{}                  | $: required property 'instanceId' not found
					{"instanceId":"one","leaseDuration":60} | $: property 'leaseDuration' is not defined in the schema and the schema does not allow additional properties
					{"instanceId":"one","fencingToken":"7"} | $.fencingToken: string found, integer expected
					{"instanceId":"one","fencingToken":null} | $.fencingToken: null found, integer expected
					{"instanceId":"one","fencingToken":0}   | $.fencingToken: must have a minimum value of 1
					{"instanceId":"one","fencingToken":9223372036854775808} | $.fencingToken: must have a maximum value of 9223372036854775807
					""")
	void aReleaseHasNothingButItsInstanceAndAFencingToken(String body, String detail) {
		assertThat(invalidBody("body/release", body)).containsExactly(detail);
	}

	@Test
	void anAcquisitionHasNoFencingToken() {
		assertThat(invalidBody("body/acquire", "{\"instanceId\":\"one\",\"leaseDuration\":60,\"fencingToken\":7}"))
			.containsExactly(
					"$: property 'fencingToken' is not defined in the schema and the schema does not allow additional properties");
	}

	@Test
	void ofManyAndLongViolationsTheFirstAreListedAndCut() {
		String unknown = IntStream.range(0, 4)
			.mapToObj((number) -> "\"" + "\\ud83d\\ude00".repeat(300) + number + "\":1")
			.collect(Collectors.joining(","));
		List<String> longOnes = invalidBody("body/acquire",
				"{\"instanceId\":\"one\",\"leaseDuration\":60," + unknown + "}");
		assertThat(longOnes).hasSize(4).allSatisfy((detail) -> assertThat(detail).endsWith("..."));
		assertThat(longOnes.get(0).codePointCount(0, longOnes.get(0).length())).isEqualTo(203);

		String many = IntStream.range(0, 1000)
			.mapToObj((number) -> "\"" + number + "\":1")
			.collect(Collectors.joining(","));
		assertThat(invalidBody("body/acquire", "{\"instanceId\":\"one\",\"leaseDuration\":60," + many + "}"))
			.hasSize(21)
			.startsWith(
					"$: property '0' is not defined in the schema and the schema does not allow additional properties")
			.endsWith("... and 980 more");
	}

	@Test
	void allThatIsWrongWithABodyIsListedInAFixedOrder() {
		for (int time = 0; time < 20; time++) {
			assertThat(invalidBody("body/acquire", "{\"bar\":1,\"leaseDuration\":0,\"instanceId\":\"a!\",\"foo\":2}"))
				.containsExactly("$.instanceId: must be at least 3 characters long",
						"$.instanceId: does not match the regex pattern ^[A-Za-z0-9_-]+$",
						"$.leaseDuration: must have a minimum value of 1",
						"$: property 'bar' is not defined in the schema and the schema does not allow additional properties",
						"$: property 'foo' is not defined in the schema and the schema does not allow additional properties");
			assertThat(invalidBody("body/acquire", "{}")).containsExactly("$: required property 'instanceId' not found",
					"$: required property 'leaseDuration' not found");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "60.0", "6e1", "600E-1" })
	void anIntegerMayBeWrittenAsJsonAllows(String seconds) {
		Answer answer = this.calls.raw("POST", LOCK + "integers/acquire",
				"{\"instanceId\":\"one\",\"leaseDuration\":" + seconds + "}");

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.number("leaseDuration")).isEqualTo(60);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "{\"instanceId\":\"one\"", "{\"instanceId\":\"one\",}", "{'instanceId':'one'}",
			"nonsense", "{\"instanceId\":\"one\",\"leaseDuration\":NaN}",
			"{\"instanceId\":\"one\",\"leaseDuration\":060}", "{\"instanceId\":\"one\",\"leaseDuration\":60} {}",
			"{\"instanceId\":\"one\",\"instanceId\":\"two\",\"leaseDuration\":60}" })
	void whatIsNoJsonOrHasAPropertyTwiceIsRefused(String body) {
		assertThat(invalidBody("malformed/acquire", body)).singleElement()
			.asString()
			.startsWith("$: is not well-formed JSON, or contains a duplicate property");
	}

	@Test
	void deepNestingAndNumbersWithoutEndAreRefused() {
		assertThat(invalidBody("malformed/acquire", "[".repeat(10_000))).singleElement()
			.asString()
			.startsWith("$: is not well-formed JSON");
		assertThat(invalidBody("malformed/acquire",
				"{\"instanceId\":\"one\",\"leaseDuration\":" + "9".repeat(5_000) + "}"))
			.singleElement()
			.asString()
			.startsWith("$: is not well-formed JSON");
	}

	@ParameterizedTest
	@ValueSource(strings = { "acquire", "renew", "release" })
	void anEmptyBodyIsRefused(String call) {
		assertThat(invalidBody("empty/" + call, "")).containsExactly("$: is empty; a JSON object is expected");
		assertThat(invalidBody("empty/" + call, " \n")).containsExactly("$: is empty; a JSON object is expected");
	}

	@Test
	void aBodyThatIsNotUtf8IsRefused() {
		byte[] body = "{\"instanceId\":\"\u00e9\u00e9\u00e9\",\"leaseDuration\":60}"
			.getBytes(StandardCharsets.ISO_8859_1);

		Answer answer = this.calls.send("POST", LOCK + "latin/acquire", body);

		assertThat(answer.status()).isEqualTo(400);
		assertThat(details(answer)).containsExactly("$: is not encoded in UTF-8");
	}

	@Test
	void aBodyThatIsMuchTooLargeIsNotLookedAt() {
		Answer answer = this.calls.raw("POST", LOCK + "large/acquire",
				"{\"instanceId\":\"one\",\"leaseDuration\":60" + " ".repeat(RequestBodies.MOST_BYTES) + "}");

		assertThat(answer.status()).isEqualTo(413);
		assertThat(answer.body().path("message").asString()).isEqualTo("The body is larger than 16384 bytes");
	}

	@Test
	void aPathThatBreaksTheRulesIsRefusedWithAllOfThemThatItBreaks() {
		assertThat(invalidPath("/v1/ab/lock/name")).containsExactly(NAMESPACE_LENGTH);
		assertThat(invalidPath("/v1/" + "a".repeat(65) + "/lock/name")).containsExactly(NAMESPACE_LENGTH);
		assertThat(invalidPath("/v1/a.b/lock/name")).containsExactly(NAMESPACE_PATTERN);
		assertThat(invalidPath("/v1/space/lock/ab")).containsExactly(NAME_LENGTH);
		assertThat(invalidPath("/v1/space/lock/" + "a".repeat(65))).containsExactly(NAME_LENGTH);
		assertThat(invalidPath("/v1/space/lock/a%20b")).containsExactly(NAME_PATTERN);
		assertThat(invalidPath("/v1/space/lock/%C3%A4%C3%B6%C3%BC")).containsExactly(NAME_PATTERN);
		assertThat(invalidPath("/v1/./lock/name".replace("./", "a*/") + "*")).containsExactly(NAMESPACE_LENGTH,
				NAMESPACE_PATTERN, NAME_PATTERN);
		assertThat(invalidPath("/v1/a/lock/*")).containsExactly(NAMESPACE_LENGTH, NAME_LENGTH, NAME_PATTERN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "acquire", "renew", "release" })
	void thePathIsCheckedWithEveryCallAfterTheBody(String call) {
		String lease = "release".equals(call) ? "" : ",\"leaseDuration\":60";

		Answer both = this.calls.raw("POST", "/v1/a/lock/b/" + call, "{\"instanceId\":\"x\"" + lease + "}");
		Answer path = this.calls.raw("POST", "/v1/a/lock/b/" + call, "{\"instanceId\":\"one\"" + lease + "}");

		assertThat(both.body().path("message").asString()).isEqualTo("JSON validation failed");
		assertThat(details(both)).containsExactly("$.instanceId: must be at least 3 characters long");
		assertThat(path.status()).isEqualTo(400);
		assertThat(path.text()).isEqualTo("{\"message\":\"Validation failed\",\"details\":[\"" + NAMESPACE_LENGTH
				+ "\",\"" + NAME_LENGTH + "\"]}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "with space", "with\ttab" })
	void anIdempotencyKeyIsPrintable(String key) {
		for (Answer answer : List.of(this.calls.acquire("validation", "keys", "one", 60, key),
				this.calls.renew("validation", "keys", "one", 60, key))) {
			assertThat(answer.status()).isEqualTo(400);
			assertThat(details(answer)).containsExactly(
					"Parameter 'Idempotency-Key' failed validation: Idempotency key must be 1 to 255 printable ASCII characters without spaces");
		}
	}

	@Test
	void anIdempotencyKeyHas255CharactersAtMost() {
		this.calls.acquire("validation", "long-key", "one", 60);

		assertThat(this.calls.renew("validation", "long-key", "one", 60, "k".repeat(255)).status()).isEqualTo(200);
		assertThat(this.calls.renew("validation", "long-key", "one", 60, "k".repeat(256)).status()).isEqualTo(400);
	}

	private List<String> invalidBody(String path, String body) {
		Answer answer = this.calls.raw("POST", LOCK + path, body);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.body().path("message").asString()).isEqualTo("JSON validation failed");
		return details(answer);
	}

	private List<String> invalidPath(String path) {
		Answer answer = this.calls.raw("GET", path, null);
		assertThat(answer.status()).as(answer.text()).isEqualTo(400);
		assertThat(answer.body().path("message").asString()).isEqualTo("Validation failed");
		return details(answer);
	}

	private static List<String> details(Answer answer) {
		return StreamSupport.stream(answer.body().path("details").spliterator(), false)
			.map(JsonNode::asString)
			.toList();
	}

}
