/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows the links of the documentation, so that they stay valid when a file, a heading
 * or a test is moved or renamed.
 */
class DocumentationTests {

	private static final Path ROOT = RepositoryFiles.root();

	private static final Path COMPARISON = Path.of("docs", "comparison.md");

	/** Names the tests behind the rows of the comparison. */
	private static final Path EVIDENCE = Path.of("verification", "comparison-evidence.md");

	/** A row of the comparison, and a row of the evidence that names a test for it. */
	private static final Pattern COMPARED = Pattern.compile("(?m)^\\| ([^|]+?) \\|(?: [^|]+ \\|){6}$");

	private static final Pattern SHOWN = Pattern
		.compile("(?m)^\\| ([^|]+?) \\| \\[`(\\w+)`\\]\\(([^)]+)\\) \\| `(\\w+)` \\|$");

	/** Code is not text: blocks between fences, and what stands between backticks. */
	private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");

	private static final Pattern INLINE_LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)[^)]*\\)");

	private static final Pattern NAMED_LINK = Pattern.compile("\\[[^\\]\n]+\\]\\[([^\\]\n]+)\\]");

	private static final Pattern DEFINITION = Pattern.compile("(?m)^\\[([^\\]\n]+)\\]:\\s+(\\S+)\\s*$");

	private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6}\\s+(.+?)\\s*$");

	/** A duration with more digits than messages and endpoints show. */
	private static final Pattern UNROUNDED = Pattern.compile("\\d\\.\\d{4,} ?(?:m?s\\b|S\\b)");

	static Stream<Path> documents() throws IOException {
		return Stream.concat(RepositoryFiles.find("", ".md").stream(), Stream.of(Path.of("llms.txt")));
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyLinkLeadsToAFileAndToTheTestOrHeadingThatItNames(Path document) {
		List<String> faults = links(document).values()
			.stream()
			.map((target) -> fault(document, target))
			.flatMap(Optional::stream)
			.toList();
		assertThat(faults).as("links of %s that lead nowhere", document).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyNameOfALinkIsDefinedAndUsed(Path document) {
		String text = text(document);
		assertThat(definitions(text).keySet()).as("names of links that %s defines, and those that it uses", document)
			.containsExactlyInAnyOrderElementsOf(found(NAMED_LINK, text, 1));
	}

	@Test
	void everyRowOfTheComparisonHasATestThatExists() {
		Set<String> compared = found(COMPARED, read(ROOT.resolve(COMPARISON)), 1);
		compared.remove("---");
		assertThat(compared).hasSizeGreaterThan(70);
		String evidence = read(ROOT.resolve(EVIDENCE));
		assertThat(found(SHOWN, evidence, 1)).containsExactlyInAnyOrderElementsOf(compared);
		assertThat(SHOWN.matcher(evidence).results()).allSatisfy((row) -> {
			Path test = ROOT.resolve(EVIDENCE).resolveSibling(row.group(3)).normalize();
			assertThat(test).exists().hasFileName(row.group(2) + ".java");
			assertThat(names(test, row.group(4))).as("whether %s has the test %s", test, row.group(4)).isTrue();
		});
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyDurationOfAMessageOrAnEndpointIsRounded(Path document) {
		assertThat(found(UNROUNDED, read(ROOT.resolve(document)), 0)).isEmpty();
	}

	@Test
	void theIndexLeadsToEveryPage() throws IOException {
		Path index = ROOT.resolve("docs/README.md");
		Set<Path> reached = links(ROOT.relativize(index)).values()
			.stream()
			.map((target) -> index.resolveSibling(target.split("#", 2)[0]).normalize())
			.collect(Collectors.toSet());
		try (Stream<Path> pages = Files.list(index.getParent())) {
			assertThat(pages.filter((page) -> page.toString().endsWith(".md") && !page.equals(index)))
				.isSubsetOf(reached);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path document) {
		return CODE.matcher(read(ROOT.resolve(document))).replaceAll("code");
	}

	/** Targets by the name of the link, or by themselves where they stand in the text. */
	private static Map<String, String> links(Path document) {
		String text = text(document);
		Map<String, String> links = definitions(text);
		found(INLINE_LINK, text, 1).forEach((target) -> links.put(target, target));
		links.values().removeIf((target) -> target.matches("[a-z]+:.*"));
		return links;
	}

	private static Map<String, String> definitions(String text) {
		return DEFINITION.matcher(text)
			.results()
			.collect(Collectors.toMap((match) -> match.group(1), (match) -> match.group(2), (one, other) -> {
				throw new AssertionError("One name is defined for " + one + " and " + other);
			}, LinkedHashMap::new));
	}

	private static Set<String> found(Pattern pattern, String text, int group) {
		return pattern.matcher(text)
			.results()
			.map((MatchResult match) -> match.group(group))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** What is wrong with a link, if anything is. */
	private static Optional<String> fault(Path document, String target) {
		String[] parts = target.split("#", 2);
		Path from = ROOT.resolve(document);
		Path file = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
		if (!Files.exists(file)) {
			return Optional.of(target + ": there is no such file");
		}
		if (parts.length == 2 && !names(file, parts[1])) {
			return Optional.of(target + ": the file has no such test or heading");
		}
		return Optional.empty();
	}

	private static boolean names(Path file, String fragment) {
		if (file.toString().endsWith(".java")) {
			// Annotation and method, without an empty line between them.
			return Pattern.compile("@\\w*Test\\b(?:(?!\n\n)[\\s\\S])*?\\bvoid " + Pattern.quote(fragment) + "\\(")
				.matcher(read(file))
				.find();
		}
		return read(file).contains("<a id=\"" + fragment + "\"></a>") || HEADING.matcher(read(file))
			.results()
			.anyMatch((heading) -> anchor(heading.group(1)).equals(fragment));
	}

	/** How GitHub names a heading in an address. */
	private static String anchor(String heading) {
		return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
	}

}
