/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class ServerProcessTests {

	@TempDir
	Path logs;

	@Test
	void endOfAServerIsToldWithItsStatus() throws Exception {
		try (ServerProcess server = ServerProcess.start("server", this.logs, "32m", ShortLived.class, List.of())) {
			assertThat(server.awaitAddress()).isEqualTo("http://here");
			assertThat(server.awaitEnd()).isEqualTo(3);
		}
	}

	static final class ShortLived {

		private ShortLived() {
		}

		public static void main(String[] args) {
			ParentProcess.tellAddress("http://here");
			System.exit(3);
		}

	}

}
