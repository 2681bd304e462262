/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The class path of the application whose start is measured: jars only, because a JVM
 * archives no classes of folders.
 */
final class ApplicationClassPath {

	private final List<Entry> entries;

	private final Path folder;

	private ApplicationClassPath(List<Entry> entries, Path folder) {
		this.entries = entries;
		this.folder = folder;
	}

	/**
	 * Packs what is not a jar yet.
	 * @param file the file with the class path of the application's dependencies, beside
	 * its classes
	 * @return the class path
	 */
	static ApplicationClassPath of(Path file) {
		try {
			Path folder = Files.createDirectories(file.toAbsolutePath().resolveSibling("start"));
			List<Entry> entries = new ArrayList<>();
			String dependencies = Files.readString(file).strip();
			List<Path> paths = Stream.concat(Stream.of(file.resolveSibling("classes")),
					Stream.of(dependencies.split(File.pathSeparator)).filter((entry) -> !entry.isEmpty()).map(Path::of))
				.toList();
			for (Path each : paths) {
				Path jar = Files.isDirectory(each) ? packed(each, folder.resolve(entries.size() + ".jar")) : each;
				entries.add(new Entry(jar, isPartOfStarter(each)));
			}
			return new ApplicationClassPath(entries, folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The application's class path could not be read", ex);
		}
	}

	private static Path packed(Path classes, Path jar) {
		int status = ToolProvider.findFirst("jar")
			.orElseThrow()
			.run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
		if (status != 0) {
			throw new IllegalStateException("Could not pack " + classes + " into " + jar);
		}
		return jar;
	}

	/** In a build that makes no jars, the modules are folders of classes. */
	private static boolean isPartOfStarter(Path entry) {
		return StreamSupport.stream(entry.spliterator(), false)
			.map(Path::toString)
			.anyMatch((name) -> name.startsWith("dynamodb-lock-core")
					|| name.startsWith("dynamodb-lock-spring-boot-starter"));
	}

	/**
	 * Returns the class path as an option has it.
	 * @param starter whether the starter and the lock client are on it
	 */
	String text(boolean starter) {
		return this.entries.stream()
			.filter((entry) -> starter || !entry.partOfStarter())
			.map((entry) -> entry.jar().toString())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** A folder for the archives of its classes. */
	Path folder() {
		return this.folder;
	}

	private record Entry(Path jar, boolean partOfStarter) {

	}

}
