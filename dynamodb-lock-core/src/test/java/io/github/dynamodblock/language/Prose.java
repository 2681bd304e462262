/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.jspecify.annotations.Nullable;

/**
 * The prose of a file. All else is replaced by spaces, so that each word keeps its
 * position.
 *
 * @param file relative to the repository
 * @param text as long as the file, with the same lines
 */
record Prose(Path file, String text) {

	/** Blocks between fences, indented blocks, code spans, and the targets of links. */
	private static final Pattern MARKDOWN_CODE = Pattern.compile("(?ms)^ *```.*?^ *```|^ {4,}\\S[^\n]*|`[^`\n]*`"
			+ "|(?<=\\])\\([^)\\s]+\\)|(?<=\\])\\[[^\\]\n]+\\]|^\\[[^\\]\n]+\\]: [^\n]*");

	/** Comments and literals, of which some may contain the start of others. */
	private static final Pattern JAVA_TOKEN = Pattern
		.compile("(?s)/\\*\\*(?!/)(.*?)\\*/|/\\*.*?\\*/|//[^\n]*|'(?:[^'\\\\]|\\\\.)+'"
				+ "|\"\"\"((?:[^\\\\]|\\\\.)*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"");

	private static final Pattern JAVADOC_CODE = Pattern
		.compile("(?ms)<pre>.*?</pre>|\\{@(?:code|link|linkplain|literal|value)\\b[^}]*\\}|^\\s*\\*"
				+ "|(?<=@param )\\S+|@(?:see|throws) \\S+|<[^>]*>");

	/** Sentences, paragraphs, list items, table cells and block tags. */
	private static final Pattern BETWEEN_SENTENCES = Pattern
		.compile("(?<=[.?!])[)\"*_]*\\s+|\n\\s*\n|\n\\s*(?:[-*#]|\\d+\\.)\\s|\\||\\s@(?=\\w)| {8,}");

	/** Each Markdown file of the repository. */
	static List<Prose> ofMarkdown() throws IOException {
		List<Prose> all = new ArrayList<>(read("", ".md", Prose::markdown));
		all.addAll(read("", "llms.txt", Prose::markdown));
		return all;
	}

	/** Javadoc and messages of what applications use, and of the lock server. */
	static List<Prose> ofMainCode() throws IOException {
		List<Prose> all = new ArrayList<>();
		for (String module : List.of("core", "spring-boot-starter", "test", "server")) {
			all.addAll(read("dynamodb-lock-" + module + "/src/main/java", ".java", Prose::java));
		}
		return all;
	}

	private static List<Prose> read(String folder, String suffix, UnaryOperator<String> prose) throws IOException {
		List<Prose> all = new ArrayList<>();
		for (Path file : RepositoryFiles.find(folder, suffix)) {
			all.add(new Prose(file, prose.apply(Files.readString(RepositoryFiles.root().resolve(file)))));
		}
		return all;
	}

	static String markdown(String source) {
		return MARKDOWN_CODE.matcher(source).replaceAll((code) -> blank(code.group()));
	}

	static String java(String source) {
		StringBuilder prose = new StringBuilder(blank(source));
		JAVA_TOKEN.matcher(source).results().forEach((token) -> {
			keep(prose, token, 1, JAVADOC_CODE);
			keep(prose, token, 2, null);
			keep(prose, token, 3, null);
		});
		return prose.toString();
	}

	private static void keep(StringBuilder prose, MatchResult token, int group, @Nullable Pattern code) {
		String text = token.group(group);
		if (text != null) {
			String kept = (code != null) ? code.matcher(text).replaceAll((match) -> blank(match.group())) : text;
			prose.replace(token.start(group), token.end(group), kept);
		}
	}

	private static String blank(String text) {
		return text.replaceAll("[^\n]", " ");
	}

	/** The line of a position, from 1. */
	int line(int position) {
		return (int) this.text.substring(0, position).chars().filter((character) -> character == '\n').count() + 1;
	}

	/** Sentences with more than so many words, each with its line and its first words. */
	List<String> sentencesLongerThan(int words) {
		return BETWEEN_SENTENCES.splitAsStream(this.text)
			.map((sentence) -> sentence.strip().split("\\s+"))
			.filter((sentence) -> sentence.length > words)
			.map((sentence) -> this.file + ": " + sentence.length + " words: "
					+ String.join(" ", Arrays.copyOf(sentence, 8)) + " ...")
			.toList();
	}

}
