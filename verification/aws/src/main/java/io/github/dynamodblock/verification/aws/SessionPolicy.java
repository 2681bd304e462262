/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The policy of {@code docs/aws-setup.md}, for a table of a run. AWS STS takes it in
 * place of the role's permissions, as long as the role has them too.
 */
final class SessionPolicy {

	/** The longest that STS takes. */
	static final int LONGEST = 2048;

	private static final String FILE = "iam-policy.json";

	private static final Pattern STATEMENT = Pattern.compile("\\{\\s*\"Sid\": \"(\\w+)\"[^{}]*}");

	private static final Pattern TABLE = Pattern.compile("\"arn:aws:dynamodb:[^\"]+:table/locks\"");

	/** The file has none in its strings. */
	private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

	private final Map<String, String> statements = new LinkedHashMap<>();

	/** Reads the documented policy. */
	SessionPolicy() {
		STATEMENT.matcher(read())
			.results()
			.forEach((statement) -> this.statements.put(statement.group(1), statement.group()));
	}

	private static String read() {
		try (InputStream file = Objects.requireNonNull(SessionPolicy.class.getResourceAsStream(FILE), FILE)) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the names of all statements. */
	List<String> sids() {
		return List.copyOf(this.statements.keySet());
	}

	/**
	 * Returns some of the statements as a policy for a table.
	 * @param tableArn the table's ARN
	 * @param sids the names of the statements
	 */
	String of(String tableArn, List<String> sids) {
		List<String> chosen = sids.stream()
			.map((sid) -> Objects.requireNonNull(this.statements.get(sid), sid))
			.map((statement) -> TABLE.matcher(statement).replaceAll('"' + tableArn + '"'))
			.map((statement) -> WHITE_SPACE.matcher(statement).replaceAll(""))
			.toList();
		return "{\"Version\":\"2012-10-17\",\"Statement\":[" + String.join(",", chosen) + "]}";
	}

}
