/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles what a mutant changes, and nothing else.
 */
final class MutantCompiler {

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private static final List<String> OPTIONS = List.of("--release", "17", "-parameters", "-proc:none", "-nowarn");

	/**
	 * One for all mutants of a thread: to open the class path takes longer than to
	 * compile a mutant.
	 */
	private static final ThreadLocal<StandardJavaFileManager> FILES = ThreadLocal
		.withInitial(() -> COMPILER.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8));

	private MutantCompiler() {
	}

	/**
	 * Compiles a mutant.
	 * @param mutant the mutant
	 * @param directory where its sources and classes go
	 * @return the directory of its classes, which come before the client's
	 * @throws IOException if files cannot be read or written
	 * @throws IllegalStateException if it does not compile
	 */
	static Path compile(Mutant mutant, Path directory) throws IOException {
		List<Path> sources = new ArrayList<>();
		for (Map.Entry<String, String> source : mutant.sources(Mutant.HERE).entrySet()) {
			Path file = directory.resolve("sources").resolve(source.getKey());
			Files.createDirectories(file.getParent());
			sources.add(Files.writeString(file, source.getValue()));
		}
		Path classes = Files.createDirectories(directory.resolve("classes"));
		StandardJavaFileManager files = FILES.get();
		files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(classes.toFile()));
		StringWriter complaints = new StringWriter();
		boolean compiled = COMPILER
			.getTask(complaints, files, null, OPTIONS, null, files.getJavaFileObjectsFromPaths(sources))
			.call();
		if (!compiled) {
			throw new IllegalStateException(
					"Mutant " + mutant + " does not compile, which catches nothing; fix it:\n" + complaints);
		}
		return classes;
	}

}
