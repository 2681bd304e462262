/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.util.List;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an instance with and without the page.
 */
@Execution(ExecutionMode.CONCURRENT)
class PageSwitchTests {

	private static final List<String> PAGES = List.of("/", "/index.html", "/page.js", "/page.css", "/icon.svg",
			"/swagger-ui", "/swagger-ui/", "/swagger-ui/index.html", "/swagger-ui/swagger-ui.css");

	@Test
	void withoutThePageOnlyTheApiAndItsDocumentAreServed() {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true",
				"lock-server.page.enabled=false")) {
			assertThat(PAGES).allSatisfy((path) -> assertThat(get(service, path).status()).isEqualTo(404));
			assertThat(get(service, "/openapi.yaml").status()).isEqualTo(200);
			assertThat(service.calls().get("page-switch", "a-lock").status()).isEqualTo(200);
			EventStream stream = EventStream.open(service.port(), "page-switch");
			try (stream) {
				Awaitility.await().until(() -> !stream.events().isEmpty());
			}
		}
	}

	@Test
	void thePageIsServedAndBrowsersAskWhetherItHasChanged() {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true")) {
			assertThat(PAGES.subList(0, 5)).allSatisfy((path) -> {
				assertThat(get(service, path).status()).isEqualTo(200);
				assertThat(get(service, path).header("Cache-Control")).isEqualTo("no-cache");
			});
		}
	}

	private static Answer get(ServiceInstance service, String path) {
		return service.calls().raw("GET", path, null);
	}

}
