/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HttpMessageTests {

	private static final String WITH_LENGTH = "POST / HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: 4\r\n\r\nbody";

	private static final String IN_CHUNKS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbod\r\n1\r\ny\r\n0\r\n\r\n";

	@Test
	void messagesThatFollowEachOtherAreToldApart() throws IOException {
		InputStream in = stream(WITH_LENGTH + IN_CHUNKS + WITH_LENGTH);
		assertThat(text(HttpMessage.read(in))).isEqualTo(WITH_LENGTH);
		assertThat(text(HttpMessage.read(in))).isEqualTo(IN_CHUNKS);
		assertThat(text(HttpMessage.read(in))).isEqualTo(WITH_LENGTH);
		assertThat(HttpMessage.read(in)).isNull();
	}

	@Test
	void bodyIsThereWithoutTheFramesOfChunks() throws IOException {
		for (String message : List.of(WITH_LENGTH, IN_CHUNKS)) {
			HttpMessage read = HttpMessage.read(stream(message));
			assertThat(read).isNotNull();
			assertThat(read.body()).asString(StandardCharsets.US_ASCII).isEqualTo("body");
		}
	}

	@Test
	void headerIsFoundInWhateverCase() throws IOException {
		HttpMessage message = HttpMessage.read(stream(WITH_LENGTH));
		assertThat(message).isNotNull();
		assertThat(message.header("x-amz-target")).isEqualTo("DynamoDB_20120810.GetItem");
		assertThat(message.header("host")).isNull();
	}

	@Test
	void messageThatEndsInItsBodyIsRefused() {
		assertThatExceptionOfType(EOFException.class)
			.isThrownBy(() -> HttpMessage.read(stream(WITH_LENGTH.substring(0, WITH_LENGTH.length() - 1))));
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
	}

	private static String text(@Nullable HttpMessage message) {
		assertThat(message).isNotNull();
		return new String(message.bytes(), StandardCharsets.US_ASCII);
	}

}
