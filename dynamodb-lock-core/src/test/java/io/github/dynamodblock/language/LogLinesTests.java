/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * {@code docs/log-lines.md} explains every line that production code logs at WARN or
 * ERROR, and some of those at INFO. With {@code -Dreference.write=true}, the test adds
 * rows for new lines, and removes those of lines that no longer exist. Meaning and action
 * are written by hand.
 */
class LogLinesTests {

	private static final List<String> MODULES = List.of("dynamodb-lock-core", "dynamodb-lock-spring-boot-starter",
			"dynamodb-lock-shedlock", "dynamodb-lock-server");

	private static final Path PAGE = RepositoryFiles.root().resolve("docs/log-lines.md");

	private static final String NEW_LINES = """

			## Lines without an explanation

			| line | level | meaning | what to do |
			| --- | --- | --- | --- |
			""";

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `([^`]+)` \\| (INFO|WARN|ERROR) \\| ([^|]*?) ?\\| ([^|]*?) ?\\|$");

	/** Statements without a text, and how their lines begin. */
	private static final Map<String, String> WITHOUT_TEXT = Map.of("AnnotatedMethodChecks.java",
			"Lock annotation on ...");

	private static final boolean WRITE = Boolean.getBoolean("reference.write");

	@Test
	void everyLineIsExplainedAndEveryExplainedLineExists() throws IOException {
		List<LogStatement> statements = LogStatement.of(MODULES).stream().map(LogLinesTests::withText).toList();
		assertThat(statements.stream().filter(LogStatement::isWarningOrError)).hasSizeGreaterThan(60)
			.allSatisfy((statement) -> assertThat(statement.hasText()).as("%s has a text to search for", statement)
				.isTrue());
		if (WRITE) {
			Files.writeString(PAGE, corrected(Files.readString(PAGE), statements));
		}
		assertThat(problems(Files.readString(PAGE), statements))
			.as("problems of %s; -Dreference.write=true adds and removes rows", PAGE)
			.isEmpty();
	}

	@Test
	void theSameLineIsInOneRow() throws IOException {
		assertThat(rows(Files.readString(PAGE))).extracting(Row::line).doesNotHaveDuplicates();
	}

	@Test
	void eachKindOfProblemIsFound() {
		List<LogStatement> statements = List.of(new LogStatement("A.java", "WARN", "Lock '...' was lost"));
		assertThat(problems("| `Lock '...' was lost` | WARN | a | b |", statements)).isEmpty();
		assertThat(problems("| `Lock '...', held by ..., ' was lost` | WARN | a | b |", statements))
			.as("a row with more than the statement shows")
			.isEmpty();
		assertThat(problems("", statements)).containsExactly("no row for WARN Lock '...' was lost (A.java)");
		assertThat(problems("| `Lock '...' was lost` | ERROR | a | b |", statements)).hasSize(2);
		assertThat(problems("| `Lock '...' was lost` | WARN |  | b |", statements))
			.containsExactly("no meaning or action: Lock '...' was lost");
		assertThat(problems("| `Lock '...' was lost` | WARN | a | b |\n| `Never logged` | WARN | a | b |", statements))
			.containsExactly("not logged: WARN Never logged");
	}

	@Test
	void rowsAreAddedAndRemoved() {
		List<LogStatement> statements = List.of(new LogStatement("A.java", "WARN", "Lock '...' was lost"),
				new LogStatement("A.java", "ERROR", "Please report this"));
		String page = "# Lines\n| `Never logged` | WARN | a | b |\n| `Lock '...' was lost` | WARN | a | b |\n";
		assertThat(corrected(page, statements)).isEqualTo("# Lines\n| `Lock '...' was lost` | WARN | a | b |\n"
				+ NEW_LINES + "| `Please report this` | ERROR |  |  |\n");
	}

	@Test
	void eachWayToLogIsSeen(@TempDir Path folder) throws IOException {
		assertThat(LogStatement.parse(List.of(Files.writeString(folder.resolve("Logs.java"), """
				import org.slf4j.Logger;
				class Logs {
					private static final Logger LOG = null;
					private final org.slf4j.Logger log = null;
					void a(String value) {
						LOG.warn("a {}", value);
						run(() -> this.log.error("b" + " c", value));
						LOG.atWarn().addKeyValue("d", value).log("e " + value + " f");
						log.atLevel(value.isEmpty() ? org.slf4j.event.Level.INFO : org.slf4j.event.Level.WARN).log("g");
						LOG.atError().setCause(null).log("h");
						LOG.info("i");
						LOG.atInfo().log("j");
						other().warn("k");
					}
				}
				""")))).extracting((statement) -> statement.level() + " " + statement.line())
			.containsExactly("WARN a ...", "ERROR b c", "WARN e ... f", "WARN g", "ERROR h", "INFO i", "INFO j");
	}

	@Test
	void theFirstSentenceIsShown(@TempDir Path folder) throws IOException {
		assertThat(LogStatement.parse(List.of(Files.writeString(folder.resolve("Sentences.java"), """
				class Sentences {
					org.slf4j.Logger log;
					void a() {
						log.warn("{} calls of client '{}' failed; they are retried");
						log.warn("{}. It is short. The third one counts. Not this");
					}
				}
				""")))).extracting(LogStatement::line)
			.containsExactly("... calls of client '...' failed", ".... It is short. The third one counts");
	}

	@Test
	void aLoggerThatWouldNotBeSeenIsRefused(@TempDir Path folder) throws IOException {
		Path passing = Files.writeString(folder.resolve("Passing.java"),
				"class Passing { org.slf4j.Logger logger; void a() { b(logger); } }");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> LogStatement.parse(List.of(passing)))
			.withMessageContaining("passes its logger");
		Path other = Files.writeString(folder.resolve("Other.java"),
				"import org.apache.commons.logging.Log; class Other { }");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> LogStatement.parse(List.of(other)))
			.withMessageContaining("use SLF4J");
	}

	private static LogStatement withText(LogStatement statement) {
		return statement.hasText() ? statement : new LogStatement(statement.source(), statement.level(),
				WITHOUT_TEXT.getOrDefault(statement.source(), statement.line()));
	}

	private static List<String> problems(String page, List<LogStatement> statements) {
		List<String> problems = new ArrayList<>();
		Map<String, LogStatement> missing = new LinkedHashMap<>();
		statements.stream()
			.filter(LogStatement::isWarningOrError)
			.forEach((statement) -> missing.put(statement.level() + statement.line(), statement));
		for (Row row : rows(page)) {
			Optional<LogStatement> shown = row.statement(statements);
			shown.ifPresentOrElse((statement) -> missing.remove(statement.level() + statement.line()),
					() -> problems.add("not logged: " + row.level() + " " + row.line()));
			if (row.meaning().isEmpty() || row.action().isEmpty()) {
				problems.add("no meaning or action: " + row.line());
			}
		}
		missing.values().forEach((statement) -> problems.add("no row for " + statement));
		return problems;
	}

	private static String corrected(String page, List<LogStatement> statements) {
		StringBuilder corrected = new StringBuilder(page);
		for (Row row : rows(page)) {
			if (row.statement(statements).isEmpty()) {
				int start = corrected.indexOf(row.text());
				corrected.delete(start, start + row.text().length() + 1);
			}
		}
		List<Row> known = rows(corrected.toString());
		List<String> added = statements.stream()
			.filter(LogStatement::isWarningOrError)
			.filter((statement) -> known.stream()
				.noneMatch((row) -> row.statement(statements)
					.filter((shown) -> shown.line().equals(statement.line()) && shown.level().equals(statement.level()))
					.isPresent()))
			.map((statement) -> "| `" + statement.line() + "` | " + statement.level() + " |  |  |\n")
			.distinct()
			.toList();
		return added.isEmpty() ? corrected.toString() : corrected + NEW_LINES + String.join("", added);
	}

	private static List<Row> rows(String page) {
		return ROW.matcher(page)
			.results()
			.map((row) -> new Row(row.group(), row.group(1), row.group(2), row.group(3), row.group(4)))
			.toList();
	}

	private record Row(String text, String line, String level, String meaning, String action) {

		/** The statement that logs the line: of several, the one that says most. */
		Optional<LogStatement> statement(List<LogStatement> statements) {
			return statements.stream()
				.filter((statement) -> statement.level().equals(this.level) && statement.isShownBy(this.line))
				.max(Comparator.comparing(LogStatement::constants));
		}

	}

}
