/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.net.URI;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the interactive documentation.
 */
@RunningLockServer
class SwaggerUiTests {

	private static final Pattern NAMED_BY_PAGE = Pattern.compile("(?:src|href)=\"([^\"]*)\"");

	private static final Pattern NAMED_BY_STYLES = Pattern.compile("(?:url\\(\\s*[\"']?|@import\\s+[\"'])([^\"')]*)");

	private static final Pattern NAMED_BY_START = Pattern.compile("url: \"([^\"]*)\"");

	private static final URI PAGE = URI.create("/swagger-ui/");

	@LocalServerPort
	private int port;

	private Answer get(String path) {
		return LockServerCalls.on(this.port).raw("GET", path, null);
	}

	private static List<String> named(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
	}

	@Test
	void thePathWithoutItsSlashLeadsToThePage() {
		Answer answer = get("/swagger-ui");
		assertThat(answer.status()).isEqualTo(302);
		assertThat(answer.header("Location")).endsWith("/swagger-ui/");
	}

	@Test
	void allThatThePageNamesIsServedHere() {
		Answer page = get(PAGE.toString());
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.header("Content-Type")).startsWith("text/html");
		assertThat(named(NAMED_BY_PAGE, page.text())).hasSize(4).allSatisfy(this::assertServedHere);
		assertThat(page.text()).doesNotContain("http://", "https://").doesNotContainPattern("<script>|<style>|style=");
	}

	@Test
	void theStylesLoadNothing() {
		assertThat(named(NAMED_BY_STYLES, get("/swagger-ui/swagger-ui.css").text())).isNotEmpty()
			.allMatch((name) -> name.startsWith("data:"));
	}

	@Test
	void theDocumentOfTheServiceIsShownAndNoBadgeIsAskedFor() {
		String start = get("/swagger-ui/swagger-initializer.js").text();
		assertThat(named(NAMED_BY_START, start)).singleElement()
			.satisfies((document) -> assertThat(PAGE.resolve(document)).hasToString("/openapi.yaml"))
			.satisfies(this::assertServedHere);
		assertThat(start).contains("validatorUrl: null");
		assertThat(get("/openapi.yaml").text()).startsWith("openapi: 3.1");
	}

	/** Swagger UI follows no references in the parameters that a path's calls share. */
	@Test
	void callsShareNoParameters() {
		assertThat(get("/openapi.yaml").text()).containsPattern("(?m)^ {6}parameters:")
			.doesNotContainPattern("(?m)^ {4}parameters:");
	}

	@Test
	void thePageOfTheLibraryItselfIsNotServed() {
		assertThat(get("/swagger-ui/index.html").text()).isEqualTo(get(PAGE.toString()).text());
		assertThat(get("/webjars/swagger-ui/index.html").status()).isEqualTo(403);
	}

	private void assertServedHere(String name) {
		URI resource = URI.create(name);
		assertThat(resource.getHost()).as(name).isNull();
		assertThat(get(PAGE.resolve(resource).toString()).status()).as(name).isEqualTo(200);
	}

}
