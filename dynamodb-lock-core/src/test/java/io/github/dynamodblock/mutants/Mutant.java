/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A version of the client in which one rule is broken.
 *
 * @param name its name
 * @param rule the rule
 * @param broken what this version does instead
 * @param unseen why the simulation cannot see it, or {@code null} if it must
 * @param tests the tests of the rule, by their classes below the root package
 * @param edits how it differs from the client
 */
record Mutant(String name, String rule, String broken, @Nullable String unseen, List<String> tests, List<Edit> edits) {

	/** The module of the lock client, whose mutants are described in it. */
	static final Path CORE = Path.of("..", "dynamodb-lock-core");

	/** The module of scheduled jobs. */
	static final Path STARTER = Path.of("..", "dynamodb-lock-spring-boot-starter");

	/** The module whose tests run. */
	static final Path HERE = Path.of("");

	private static final Path DIRECTORY = Path.of("src", "mutants");

	private static final String SUFFIX = ".mutant";

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "dynamodblock");

	/**
	 * All mutants of a module.
	 * @param module its directory
	 * @return them, by their names
	 * @throws IOException if they cannot be read
	 */
	static List<Mutant> all(Path module) throws IOException {
		List<Mutant> mutants = new ArrayList<>();
		try (Stream<Path> files = Files.list(module.resolve(DIRECTORY))) {
			for (Path file : files.filter((each) -> each.toString().endsWith(SUFFIX)).sorted().toList()) {
				String name = file.getFileName().toString();
				mutants.add(new MutantText(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file))
					.parse());
			}
		}
		return mutants;
	}

	/**
	 * The source files that differ from the client's.
	 * @param module the directory of its module
	 * @return their text, by the paths below the root package's directory
	 * @throws IOException if a source cannot be read
	 * @throws IllegalStateException if an edit does not fit the source
	 */
	Map<String, String> sources(Path module) throws IOException {
		Map<String, String> sources = new LinkedHashMap<>();
		for (Edit edit : this.edits) {
			String source = sources.get(edit.file());
			try {
				Path original = module.resolve(SOURCES).resolve(edit.file());
				sources.put(edit.file(), edit.apply((source != null) ? source : Files.readString(original)));
			}
			catch (IllegalStateException ex) {
				throw new IllegalStateException("Mutant " + this.name + " does not fit the sources any more; fix "
						+ module.resolve(DIRECTORY).resolve(this.name + SUFFIX) + ": " + ex.getMessage(), ex);
			}
		}
		return sources;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
