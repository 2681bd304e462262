/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ApplicationStartTests {

	@Test
	void anApplicationThatDoesNotStartIsReportedWithItsOutput(@TempDir Path empty) throws Exception {
		Path classPath = Files.writeString(empty.resolve("class-path"), "");
		ApplicationStart start = new ApplicationStart("none", true, List.of());
		assertThatIllegalStateException()
			.isThrownBy(() -> start.run(ApplicationClassPath.of(classPath), URI.create("http://localhost"), List.of()))
			.withMessageContaining("did not start")
			.withMessageContaining("StartApplication");
	}

}
