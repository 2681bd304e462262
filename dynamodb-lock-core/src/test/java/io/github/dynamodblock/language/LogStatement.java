/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.language;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.github.dynamodblock.testing.RepositoryFiles;
import org.jspecify.annotations.Nullable;

/**
 * A statement that logs at INFO, WARN or ERROR, read from the syntax tree of its source.
 *
 * @param source the name of the source file
 * @param level the highest level that the statement may have
 * @param line the first sentence of the line as a reader sees it, with {@code ...} for
 * each value
 */
record LogStatement(String source, String level, String line) implements Comparable<LogStatement> {

	private static final String PLACEHOLDER = "{}";

	private static final String VALUE = "...";

	/** A shorter first sentence says too little. */
	private static final int SHORTEST_SENTENCE = 20;

	private static final Pattern SENTENCE_END = Pattern.compile("[.;] ");

	private static final Set<String> LEVELS = Set.of("info", "warn", "error");

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** Other ways to log, whose lines this class would miss. */
	private static final Set<String> OTHER_LOGS = Set.of("org.apache.commons.logging", "java.util.logging",
			"org.apache.logging", "java.lang.System.Logger");

	/** Returns the statements of the main code of modules. */
	static List<LogStatement> of(List<String> modules) throws IOException {
		List<Path> files = new ArrayList<>();
		for (String module : modules) {
			files.addAll(RepositoryFiles.find(module + "/src/main/java", ".java"));
		}
		return parse(files.stream().map((file) -> RepositoryFiles.root().resolve(file)).toList());
	}

	/** Returns the statements of source files. */
	static List<LogStatement> parse(List<Path> files) throws IOException {
		List<LogStatement> statements = new ArrayList<>();
		try (StandardJavaFileManager manager = COMPILER.getStandardFileManager(null, Locale.ROOT,
				StandardCharsets.UTF_8)) {
			JavacTask task = (JavacTask) COMPILER.getTask(null, manager, null, List.of("-proc:none"), null,
					manager.getJavaFileObjectsFromPaths(files));
			for (CompilationUnitTree unit : task.parse()) {
				new Scanner(unit, statements).scan(unit, null);
			}
		}
		return statements.stream().sorted().toList();
	}

	/** Whether the line contains words that a reader can search for. */
	boolean hasText() {
		return this.line.matches(".*\\p{L}{4}.*");
	}

	boolean isWarningOrError() {
		return !this.level.equals("INFO");
	}

	/** Whether a line of the documentation shows this one, perhaps with values. */
	boolean isShownBy(String documented) {
		return Pattern
			.compile(Stream.of(this.line.split(Pattern.quote(VALUE), -1))
				.map(Pattern::quote)
				.collect(Collectors.joining(".*")))
			.matcher(documented)
			.matches();
	}

	/** The number of characters that are the same in each line. */
	int constants() {
		return this.line.replace(VALUE, "").length();
	}

	@Override
	public int compareTo(LogStatement other) {
		return (this.line + this.source).compareTo(other.line + other.source);
	}

	@Override
	public String toString() {
		return this.level + " " + this.line + " (" + this.source + ")";
	}

	private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {

		private final List<LogStatement> statements;

		private final String file;

		/** The names of its loggers. */
		private final Set<String> loggers = new TreeSet<>();

		Scanner(CompilationUnitTree unit, List<LogStatement> statements) {
			this.statements = statements;
			this.file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
			new TreeScanner<@Nullable Void, @Nullable Void>() {

				@Override
				public @Nullable Void visitVariable(VariableTree variable, @Nullable Void unused) {
					if (variable.getType() != null
							&& variable.getType().toString().matches("(org\\.slf4j\\.)?Logger")) {
						Scanner.this.loggers.add(variable.getName().toString());
					}
					return super.visitVariable(variable, null);
				}

			}.scan(unit, null);
		}

		@Override
		public @Nullable Void visitImport(ImportTree imported, @Nullable Void unused) {
			String name = imported.getQualifiedIdentifier().toString();
			if (OTHER_LOGS.stream().anyMatch(name::startsWith)) {
				throw new AssertionError(this.file + " logs by " + name + "; use SLF4J");
			}
			return null;
		}

		@Override
		public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
			if (call.getMethodSelect() instanceof MemberSelectTree method) {
				String name = method.getIdentifier().toString();
				if (isLogger(method.getExpression()) && LEVELS.contains(name)) {
					add(name.toUpperCase(Locale.ROOT), call.getArguments());
				}
				String level = name.equals("log") ? level(method.getExpression()) : null;
				if (level != null) {
					add(level, call.getArguments());
				}
			}
			// A logger that is passed on logs elsewhere, under a name that is not seen
			// there.
			for (ExpressionTree argument : call.getArguments()) {
				if (isLogger(argument)) {
					throw new AssertionError(this.file + " passes its logger to " + call.getMethodSelect());
				}
			}
			return super.visitMethodInvocation(call, null);
		}

		private boolean isLogger(Tree tree) {
			return (tree instanceof IdentifierTree name && this.loggers.contains(name.getName().toString()))
					|| (tree instanceof MemberSelectTree field
							&& this.loggers.contains(field.getIdentifier().toString()));
		}

		/** The level of a fluent call; null if it is none, or below INFO. */
		private @Nullable String level(ExpressionTree chain) {
			if (!(chain instanceof MethodInvocationTree call)
					|| !(call.getMethodSelect() instanceof MemberSelectTree method)) {
				return null;
			}
			if (!isLogger(method.getExpression())) {
				return level(method.getExpression());
			}
			return switch (method.getIdentifier().toString()) {
				case "atInfo" -> "INFO";
				case "atWarn" -> "WARN";
				case "atError" -> "ERROR";
				case "atLevel" -> {
					String chosen = call.getArguments().toString();
					if (!chosen.contains("Level.")) {
						throw new AssertionError(this.file + " chooses a level that is not seen: " + chosen);
					}
					yield Stream.of("ERROR", "WARN", "INFO")
						.filter((each) -> chosen.contains("Level." + each))
						.findFirst()
						.orElse(null);
				}
				default -> null;
			};
		}

		private void add(String level, List<? extends ExpressionTree> arguments) {
			this.statements.add(new LogStatement(this.file, level,
					firstSentence(text(arguments.get(0))).replace(PLACEHOLDER, VALUE)));
		}

		private static String firstSentence(String line) {
			return SENTENCE_END.matcher(line)
				.results()
				.map((end) -> line.substring(0, end.start()))
				.filter((sentence) -> sentence.replace(PLACEHOLDER, "").length() >= SHORTEST_SENTENCE)
				.findFirst()
				.orElse(line);
		}

		private static String text(Tree tree) {
			if (tree instanceof LiteralTree literal) {
				return String.valueOf(literal.getValue());
			}
			if (tree instanceof ParenthesizedTree inner) {
				return text(inner.getExpression());
			}
			if (tree instanceof BinaryTree sum && tree.getKind() == Tree.Kind.PLUS) {
				return text(sum.getLeftOperand()) + text(sum.getRightOperand());
			}
			return PLACEHOLDER;
		}

	}

}
