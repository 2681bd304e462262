/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types what the README's section "By hand" says, and compares the answers. The first
 * expiry and the first fencing token are those of the day; what comes after them has to
 * differ from them as it does in the README.
 */
@RunningLockServer
class ReadmeTests {

	private static final String BLOCK = "```console\n";

	private static final String PROMPT = "$ ";

	private static final long PATIENCE_SECONDS = 60;

	private static final Pattern EXPIRY = Pattern.compile("\"expiry\":(\\d+)");

	private static final Pattern FENCING_TOKEN = Pattern.compile("\"fencingToken\":(\\d+)(?=} 200)");

	private static final Pattern ERROR_ID = Pattern.compile("\"errorId\":\"[^\"]+\"");

	@LocalServerPort
	private int port;

	@Test
	void commandsOfTheReadmeGiveTheAnswersBesideThem() throws IOException, InterruptedException {
		String session = session();
		List<String> commands = session.lines()
			.filter((line) -> line.startsWith(PROMPT))
			.map((line) -> line.substring(PROMPT.length()))
			.toList();

		assertThat(commands).filteredOn((command) -> command.startsWith("curl ")).hasSizeGreaterThan(10);
		assertThat(withoutWhatVaries(type(commands))).isEqualTo(withoutWhatVaries(session));
	}

	private static String session() throws IOException {
		String readme = Files.readString(Path.of("README.md"));
		int start = readme.indexOf(BLOCK, readme.indexOf("\n## By hand\n")) + BLOCK.length();
		return readme.substring(start, readme.indexOf("```\n", start));
	}

	/** What is seen by who types it, but for the port. */
	private String type(List<String> commands) throws IOException, InterruptedException {
		String script = commands.stream()
			.map((command) -> "printf '%s\\n' " + quoted(PROMPT + command) + "\n"
					+ command.replace("localhost:8080", "127.0.0.1:" + this.port) + "\n")
			.collect(Collectors.joining("", "command -v curl >/dev/null || { echo 'curl is not installed'; exit; }\n",
					""));
		ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
		builder.environment().keySet().removeIf((name) -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
		Process bash = builder.start();
		bash.getOutputStream().close();
		String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(bash.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
		return output;
	}

	private static String quoted(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

	private static String withoutWhatVaries(String session) {
		String errors = ERROR_ID.matcher(session).replaceAll("\"errorId\":\"...\"");
		return sinceTheFirst(FENCING_TOKEN, "the first token", sinceTheFirst(EXPIRY, "the first expiry", errors));
	}

	private static String sinceTheFirst(Pattern pattern, String name, String text) {
		List<Long> numbers = new ArrayList<>();
		Matcher matcher = pattern.matcher(text);
		return matcher.replaceAll((match) -> {
			numbers.add(Long.parseLong(match.group(1)));
			return "(" + name + " + " + (numbers.get(numbers.size() - 1) - numbers.get(0)) + ")";
		});
	}

}
