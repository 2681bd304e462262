/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.guarding;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An object whose metadata has the fencing token, and which is replaced only if it is
 * still the one that was read. Not S3, but a server that knows {@code If-Match} for one
 * object.
 */
class S3GuardTests {

	private Stored object = new Stored(0, "0", "new");

	private HttpServer server;

	private S3Client s3;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/orders/order-1", this::receive);
		this.server.start();
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		this.s3 = S3Client.builder()
			.endpointOverride(URI.create("http://127.0.0.1:" + this.server.getAddress().getPort()))
			.region(Region.of("local"))
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(noProxy))
			.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
			.serviceConfiguration((service) -> service.pathStyleAccessEnabled(true).chunkedEncodingEnabled(false))
			.build();
	}

	@AfterEach
	void stop() {
		this.s3.close();
		this.server.stop(0);
	}

	@Test
	void anObjectRefusesTheWriteOfAFormerOwner() throws InterruptedException {
		try (TwoOwners owners = new TwoOwners()) {
			write("packed", read(), owners.former());
			ResponseBytes<GetObjectResponse> readBefore = read();
			HeldLock next = owners.next();
			write("sent", read(), next);

			assertThatExceptionOfType(S3Exception.class).isThrownBy(() -> write("lost", readBefore, owners.former()))
				.satisfies((refused) -> assertThat(refused.statusCode()).isEqualTo(412));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> write("lost", read(), owners.former()));
			assertThat(read().asUtf8String()).isEqualTo("sent");
		}
	}

	@Test
	void aFormerOwnerThatWritesBeforeTheNextOneMakesItReadAgain() throws InterruptedException {
		try (TwoOwners owners = new TwoOwners()) {
			HeldLock next = owners.next();
			ResponseBytes<GetObjectResponse> readBefore = read();
			write("late", read(), owners.former());

			assertThatExceptionOfType(S3Exception.class).isThrownBy(() -> write("sent", readBefore, next))
				.satisfies((refused) -> assertThat(refused.statusCode()).isEqualTo(412));
			write("sent", read(), next);
			assertThat(read().asUtf8String()).isEqualTo("sent");
		}
	}

	private ResponseBytes<GetObjectResponse> read() {
		return this.s3.getObjectAsBytes((get) -> get.bucket("orders").key("order-1"));
	}

	private void write(String state, ResponseBytes<GetObjectResponse> read, HeldLock lock) {
		GetObjectResponse stored = read.response();
		if (Long.parseLong(stored.metadata().getOrDefault("fencing-token", "0")) > lock.fencingToken()) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
		this.s3.putObject(
				(put) -> put.bucket("orders")
					.key("order-1")
					.ifMatch(stored.eTag())
					.metadata(Map.of("fencing-token", Long.toString(lock.fencingToken()))),
				RequestBody.fromString(state));
	}

	private synchronized void receive(HttpExchange exchange) throws IOException {
		Stored old = this.object;
		if (exchange.getRequestMethod().equals("GET")) {
			byte[] content = old.content().getBytes(UTF_8);
			exchange.getResponseHeaders().set("ETag", old.eTag());
			exchange.getResponseHeaders().set("x-amz-meta-fencing-token", old.token());
			exchange.sendResponseHeaders(200, content.length);
			exchange.getResponseBody().write(content);
		}
		else {
			String token = Objects.requireNonNull(exchange.getRequestHeaders().getFirst("x-amz-meta-fencing-token"));
			String content = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
			boolean matches = old.eTag().equals(exchange.getRequestHeaders().getFirst("If-Match"));
			if (matches) {
				this.object = new Stored(old.version() + 1, token, content);
			}
			exchange.sendResponseHeaders(matches ? 200 : 412, -1);
		}
		exchange.close();
	}

	/**
	 * A version of the object.
	 */
	private record Stored(int version, String token, String content) {

		String eTag() {
			return "\"" + this.version + "\"";
		}

	}

}
