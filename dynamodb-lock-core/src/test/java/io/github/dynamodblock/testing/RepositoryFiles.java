/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of this repository, without what builds write.
 */
public final class RepositoryFiles {

	private RepositoryFiles() {
	}

	public static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "The tests run outside the repository");
		}
		return directory;
	}

	/**
	 * Finds files by the end of their names. Builds may delete files of a folder
	 * {@code target} meanwhile, so that these folders are not read.
	 * @param folder relative to the repository
	 * @param suffix the end of the names
	 * @return paths relative to the repository, sorted
	 * @throws IOException if a folder cannot be read
	 */
	public static List<Path> find(String folder, String suffix) throws IOException {
		Set<Path> found = new TreeSet<>();
		Files.walkFileTree(root().resolve(folder), new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
				boolean skipped = directory.endsWith("target") || directory.endsWith(".git");
				return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (file.toString().endsWith(suffix)) {
					found.add(root().relativize(file));
				}
				return FileVisitResult.CONTINUE;
			}

		});
		return List.copyOf(found);
	}

}
