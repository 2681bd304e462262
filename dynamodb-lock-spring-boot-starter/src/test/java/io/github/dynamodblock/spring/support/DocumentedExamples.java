/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The Java examples of a page of the documentation.
 */
public final class DocumentedExamples {

	private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");

	/** What begins so is a member of a class; the rest are statements. */
	private static final Pattern MEMBER = Pattern.compile("^(@|(private|static|abstract|class|record|interface) )");

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** Has the class path's jars open, which takes longer than to compile a page. */
	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	static {
		locate(StandardLocation.CLASS_PATH,
				Arrays
					.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
						.split(File.pathSeparator))
					.map(Path::of)
					.toList());
	}

	private final List<String> examples;

	private DocumentedExamples(List<String> examples) {
		this.examples = examples;
	}

	public static DocumentedExamples of(String page) {
		try {
			return new DocumentedExamples(EXAMPLE.matcher(Files.readString(Path.of("..", "docs", page)))
				.results()
				.map((match) -> match.group(1))
				.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int count() {
		return this.examples.size();
	}

	/**
	 * Compiles the examples: those with a package or imports each as a file, the others
	 * as a method's body or as members. A body that is left out, as {@code { ... }},
	 * throws.
	 * @param imports the imports of all
	 * @param given the abstract class {@code Given}, whose members they use
	 * @param directory where the classes go
	 * @return what is wrong with them
	 */
	public List<String> problems(String imports, String given, Path directory) {
		StringBuilder source = new StringBuilder(imports).append(given);
		List<String> problems = new ArrayList<>();
		for (int i = 0; i < this.examples.size(); i++) {
			String example = this.examples.get(i).replace("{ ... }", "{ throw new UnsupportedOperationException(); }");
			if (example.startsWith("package ") || example.startsWith("import ")) {
				problems.addAll(compile(example, directory));
				continue;
			}
			String member = MEMBER.matcher(example).find() ? example
					: "void run() throws Exception {\n" + example + "}\n";
			source.append("abstract class Example").append(i).append(" extends Given {\n").append(member).append("}\n");
		}
		problems.addAll(compile(source.toString(), directory));
		return problems;
	}

	private static List<String> compile(String source, Path directory) {
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Examples.java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

			@Override
			public boolean isNameCompatible(String simpleName, Kind kind) {
				return true;
			}
		};
		synchronized (FILES) {
			locate(StandardLocation.CLASS_OUTPUT, List.of(directory));
			COMPILER.getTask(null, FILES, problems, List.of("-proc:none"), null, List.of(file)).call();
		}
		return problems.getDiagnostics()
			.stream()
			.filter((each) -> each.getKind() == Diagnostic.Kind.ERROR)
			.map((each) -> each.getMessage(Locale.ENGLISH) + ": "
					+ source.lines().skip(each.getLineNumber() - 1).findFirst().orElse(""))
			.toList();
	}

	private static void locate(StandardLocation location, List<Path> paths) {
		try {
			FILES.setLocationFromPaths(location, paths);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
