/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.dynamodblock.testing.RepositoryFiles;

/**
 * The phrases of {@code src/language/words.txt}, and what to write instead.
 *
 * @param phrases that are not used
 * @param exceptions where some of them are
 */
record Phrases(List<Phrase> phrases, List<Exemption> exceptions) {

	static Phrases read() throws IOException {
		return parse(Files.readAllLines(RepositoryFiles.root().resolve("src/language/words.txt")));
	}

	static Phrases parse(List<String> lines) {
		List<Phrase> phrases = new ArrayList<>();
		List<Exemption> exceptions = new ArrayList<>();
		for (String line : lines) {
			if (line.startsWith("! ")) {
				String[] parts = line.substring(2).split(" \\| ", 3);
				exceptions.add(new Exemption(Path.of(parts[0]), parts[1], parts[2]));
			}
			else if (!line.isBlank() && !line.startsWith("#")) {
				String[] parts = line.split(" -> ", 2);
				phrases.add(new Phrase(pattern(parts[0]), parts[1]));
			}
		}
		return new Phrases(phrases, exceptions);
	}

	private static Pattern pattern(String phrase) {
		return Pattern.compile("\\b(?:" + phrase.replace(" ", "\\s+") + ")\\b", Pattern.CASE_INSENSITIVE);
	}

	/** Each phrase that the prose has and should not have. */
	List<Finding> findings(Prose prose) {
		return this.phrases.stream().flatMap((phrase) -> findings(prose, phrase)).toList();
	}

	private Stream<Finding> findings(Prose prose, Phrase phrase) {
		return phrase.pattern()
			.matcher(prose.text())
			.results()
			.filter((match) -> this.exceptions.stream().noneMatch((exception) -> exception.covers(prose.file(), match)))
			.map((match) -> new Finding(prose.file(), prose.line(match.start()), oneLine(match), phrase.instead()));
	}

	private static String oneLine(MatchResult match) {
		return match.group().replaceAll("\\s+", " ");
	}

	record Phrase(Pattern pattern, String instead) {
	}

	record Exemption(Path path, String words, String reason) {

		boolean covers(Path file, MatchResult match) {
			return file.startsWith(this.path)
					&& (this.words.equals("*") || oneLine(match).equalsIgnoreCase(this.words));
		}

	}

	record Finding(Path file, int line, String words, String instead) {

		@Override
		public String toString() {
			return this.file + ":" + this.line + ": '" + this.words + "'; write: " + this.instead;
		}

	}

}
