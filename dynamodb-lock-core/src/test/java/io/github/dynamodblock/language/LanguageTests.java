/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.language;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documentation, Javadoc and the messages of exceptions and logs use the words of
 * {@code src/language/words.txt}.
 */
class LanguageTests {

	private static final int LONG_SENTENCE = 40;

	@Test
	void documentationUsesTheWordsOfTheField() throws IOException {
		Phrases phrases = Phrases.read();
		assertThat(Prose.ofMarkdown().stream().flatMap((prose) -> phrases.findings(prose).stream())).isEmpty();
	}

	@Test
	void javadocAndMessagesUseTheWordsOfTheField() throws IOException {
		Phrases phrases = Phrases.read();
		assertThat(Prose.ofMainCode().stream().flatMap((prose) -> phrases.findings(prose).stream())).isEmpty();
	}

	/** For revisions: a long sentence fails nothing. */
	@Test
	void longSentencesAreListed() throws IOException {
		List<String> sentences = Stream.concat(Prose.ofMarkdown().stream(), Prose.ofMainCode().stream())
			.flatMap((prose) -> prose.sentencesLongerThan(LONG_SENTENCE).stream())
			.toList();
		System.out.println(sentences.size() + " sentences of more than " + LONG_SENTENCE + " words");
		sentences.forEach(System.out::println);
	}

	@Test
	void findingNamesFileLinePhraseAndReplacement() {
		assertThat(findings("docs/core.md", "The lock\nis given\nback.", "given back -> released"))
			.containsExactly("docs/core.md:2: 'given back'; write: released");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Mended", "It is (mended)", "mended, then" })
	void phraseIsFoundAsWholeWordsInAnyCase(String text) {
		assertThat(findings("docs/core.md", text, "mended -> fixed")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "recommended", "amended", "mendeds" })
	void partsOfWordsAreNotFound(String text) {
		assertThat(findings("docs/core.md", text, "mended -> fixed")).isEmpty();
	}

	@Test
	void exceptionHoldsForOnePhraseBelowOneFolder() {
		String[] list = { "told -> notified", "mend -> fix", "! docs/faults | told | a report as it was printed" };
		assertThat(findings("docs/faults/report.md", "told, mend", list)).singleElement().asString().contains("mend");
		assertThat(findings("docs/core.md", "told, mend", list)).hasSize(2);
	}

	@Test
	void everyExceptionGivesAReason() throws IOException {
		assertThat(Phrases.read().exceptions()).extracting(Phrases.Exemption::reason).doesNotContain("");
	}

	@Test
	void markdownProseHasNoCodeAndNoTargetsOfLinks() {
		String source = "A `told` [link](told.md), [other][told]\n\n    told\n\n```\ntold\n```\n[told]: told.md\nend";
		assertThat(Prose.markdown(source)).hasSameSizeAs(source)
			.contains("link", "other", "end")
			.doesNotContain("told");
	}

	@Test
	void javaProseIsJavadocAndLiterals() {
		String source = """
				/** Javadoc, {@code told}. @param told is a name */
				void told() { // told "told"
					throw new Told("a \\" literal", '"', \"""
							block \"""); /* told */
				}
				""";
		assertThat(Prose.java(source)).hasSameSizeAs(source)
			.contains("Javadoc", "is a name", "literal", "block")
			.doesNotContain("told", "Told", "void", "throw");
	}

	private static List<String> findings(String file, String text, String... list) {
		return Phrases.parse(List.of(list))
			.findings(new Prose(Path.of(file), text))
			.stream()
			.map(Phrases.Finding::toString)
			.toList();
	}

}
