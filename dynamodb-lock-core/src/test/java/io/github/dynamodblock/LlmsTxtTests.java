/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The file {@code llms.txt} in the repository's root, for programs that read
 * documentation. Its pages, their titles and descriptions, the dependencies and the
 * examples come from the documentation. With {@code -Dreference.write=true}, the test
 * writes the file.
 */
class LlmsTxtTests {

	private static final Path ROOT = RepositoryFiles.root();

	private static final Path FILE = ROOT.resolve("llms.txt");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|\n]+?) \\| (.*\\]\\(.*) \\|$");

	private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)#\\s]+)\\)");

	private static final Pattern SENTENCE = Pattern.compile("^(.+?[.!?])(?: [\\p{Lu}`@*].*)?$");

	private static final Pattern IMPORT = Pattern.compile("`import (io\\.github\\.dynamodblock[\\w.]+);`");

	private static final Pattern MISTAKE = Pattern.compile("(?m)^\\d+\\. \\*\\*.*");

	/** Each with the page that has the rule, since a rule has one home. */
	private static final String MISTAKES = """
			1. **A call through `this`** bypasses the proxy, so no lock is acquired. Call the annotated method from another bean. ([annotation](docs/annotation.md#where-you-can-put-it))
			2. **`key = "orderId"`** is not the parameter. Keys are SpEL expressions: write `key = "#orderId"`, and `key = "'fixed'"` for a literal. ([keys](docs/annotation.md#keys))
			3. **`@DistributedLock` on a `@Scheduled` method** lets every node run the job, one after the other. Use `@ScheduledLock`. ([annotation](docs/annotation.md#attributes))
			4. **No `name`:** the default is made from class and method, so a rename changes the lock. Set `name`. ([annotation](docs/annotation.md#attributes))
			5. **A lease as the time limit of the work:** heartbeats renew the lease, so it limits nothing. Leave it at 20 s and set `holdAtMost`. ([annotation](docs/annotation.md#when-a-method-hangs))
			6. **`if (lock.isHeld()) write()`** fails if the process is paused in between. Write through `lock.transactWrite`, or let the resource reject older fencing tokens. ([guarding](docs/guarding.md#in-dynamodb-the-lock-writes))
			7. **Work that goes on after the release,** such as an executor's task or a future that isn't returned, has no lock. Return the `CompletableFuture`, `Mono` or `Flux`: the lock is then held until it ends. ([annotation](docs/annotation.md#return-types))
			8. **A transaction that begins outside the lock** commits after the release, and the next owner reads old data. Begin it inside: `@Transactional` and `@DistributedLock` on the same method do. ([annotation](docs/annotation.md#order))
			9. **No `waitTime` on a method that serves a request:** it waits for up to 30 s. Set `waitTime`, or `onBusy = OnBusy.SKIP`. ([annotation](docs/annotation.md#busy-locks))
			10. **Deleted or edited items:** locks and fencing tokens rely on the lock's item. Release a dead owner's lock by force instead. ([safety](docs/safety.md#assumptions), [forced release](docs/releasing.md#forced-release))
			""";

	@Test
	void theFileHasTheTitlesDependenciesAndExamplesOfTheDocumentation() throws IOException {
		String expected = written();
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(FILE, expected);
		}
		assertThat(FILE).as("-Dreference.write=true writes the file").hasContent(expected);
	}

	@Test
	void everyPageOfTheDocumentationIsInIt() throws IOException {
		String file = Files.readString(FILE);
		assertThat(RepositoryFiles.find("docs", ".md")).filteredOn((page) -> !page.endsWith("README.md"))
			.hasSizeGreaterThan(30)
			.allSatisfy((page) -> assertThat(file).contains("](" + page.toString().replace('\\', '/') + "): "));
	}

	@Test
	void everyImportNamesATypeThatExists() throws IOException {
		List<Path> sources = RepositoryFiles.find("", ".java");
		assertThat(IMPORT.matcher(Files.readString(FILE)).results().map((match) -> match.group(1)))
			.hasSizeGreaterThan(5)
			.allSatisfy((type) -> assertThat(sources)
				.anyMatch((source) -> source.endsWith(Path.of("src/main/java", type.split("\\."))
					.resolveSibling(type.substring(type.lastIndexOf('.') + 1) + ".java"))));
	}

	@Test
	void itHasTenMistakesAndEachLinksToTheRule() {
		assertThat(MISTAKE.matcher(MISTAKES).results().map(MatchResult::group)).hasSize(10)
			.allSatisfy((mistake) -> assertThat(mistake).containsPattern("\\]\\(docs/[\\w-]+\\.md#[\\w-]+\\)"));
	}

	private static String written() throws IOException {
		String readme = read("README.md");
		String index = read("docs/README.md");
		StringBuilder text = new StringBuilder("# ").append(title(readme)).append("\n\n> ");
		text.append(unwrapped(paragraphs(readme).get(0))).append("\n\n");
		text.append("Dependencies, with Gradle (Maven has the same coordinates):\n\n");
		text.append(block(index, "kotlin")).append("\n\nImports:\n\n");
		for (String type : List.of("spring.DistributedLock", "spring.ScheduledLock", "spring.LockTemplate",
				"spring.LockContext", "spring.job.JobContext", "LockClient", "LockRequest", "HeldLock",
				"table.LockTable")) {
			text.append("- `import io.github.dynamodblock.").append(type).append(";`\n");
		}
		text.append("\nA scheduled job, and a locked method whose write is guarded:\n\n")
			.append(block(readme, "java"))
			.append("\n\n")
			.append(block(readme.substring(readme.indexOf("## Lock a method")), "java"))
			.append("\n\nTen usual mistakes, and the right way:\n\n")
			.append(MISTAKES);
		Set<String> pages = new TreeSet<>();
		for (Matcher row = ROW.matcher(section(index, "## All pages")); row.find();) {
			String subject = row.group(1);
			List<String> lines = new ArrayList<>();
			for (Matcher link = LINK.matcher(row.group(2)); link.find();) {
				Path page = Path.of("docs").resolve(link.group(2)).normalize();
				String address = page.toString().replace('\\', '/');
				if (address.endsWith(".md") && pages.add(address)) {
					lines.add("- [" + title(read(address)) + "](" + address + "): " + description(read(address)));
				}
			}
			if (!lines.isEmpty()) {
				// By the convention, what a reader may skip.
				text.append("\n## ")
					.append(subject.equals("this project") ? "Optional"
							: Character.toUpperCase(subject.charAt(0)) + subject.substring(1))
					.append("\n\n")
					.append(String.join("\n", lines))
					.append("\n");
			}
		}
		return text.toString();
	}

	private static String read(String file) throws IOException {
		return Files.readString(ROOT.resolve(file));
	}

	private static String section(String page, String heading) {
		return page.substring(page.indexOf(heading)).split("\n## ", 2)[0];
	}

	private static String title(String page) {
		return page.substring(page.indexOf("# ") + 2).lines().findFirst().orElseThrow();
	}

	/** The first sentence, or the sections of a page that begins with one. */
	private static String description(String page) {
		int section = page.indexOf("\n## ");
		String before = (section == -1) ? page : page.substring(0, section);
		List<String> paragraphs = paragraphs(before);
		if (paragraphs.isEmpty()) {
			return page.lines()
				.filter((line) -> line.startsWith("## "))
				.map((line) -> line.substring(3))
				.collect(Collectors.joining(" · "));
		}
		String text = unwrapped(paragraphs.get(0));
		Matcher sentence = SENTENCE.matcher(text);
		return (sentence.matches() ? sentence.group(1) : text).replaceAll(":$", ".");
	}

	/** What is neither a heading nor a picture, a table, a list or code. */
	private static List<String> paragraphs(String page) {
		String prose = page.replaceAll("(?ms)^```.*?^```$", "");
		List<String> paragraphs = new ArrayList<>();
		for (String part : prose.split("\n\n+", -1)) {
			if (!part.isBlank() && !part.strip().matches("(?s)(#|!|\\||- |\\[!|    |<).*")) {
				paragraphs.add(part.strip());
			}
		}
		return paragraphs;
	}

	private static String unwrapped(String paragraph) {
		return paragraph.replaceAll("\\[([^\\]]*)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])", "$1").replaceAll("\\s+", " ");
	}

	private static String block(String page, String language) {
		Matcher block = Pattern.compile("(?ms)^```" + language + "\\n.*?^```$").matcher(page);
		assertThat(block.find()).isTrue();
		return block.group();
	}

}
