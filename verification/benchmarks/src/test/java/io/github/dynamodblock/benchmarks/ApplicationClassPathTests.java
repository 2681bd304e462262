/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ApplicationClassPathTests {

	@TempDir
	private Path folder;

	private Path file = Path.of("");

	@BeforeEach
	void writeClassPath() throws Exception {
		Files.writeString(Files.createDirectories(this.folder.resolve("classes")).resolve("Application.class"), "");
		Path core = Files.createDirectories(this.folder.resolve("dynamodb-lock-core/target/classes"));
		Files.writeString(core.resolve("LockClient.class"), "");
		this.file = Files.writeString(this.folder.resolve("class-path"),
				core + File.pathSeparator + this.folder.resolve("spring-core.jar"));
	}

	@Test
	void foldersOfClassesArePackedIntoJars() throws Exception {
		String[] entries = ApplicationClassPath.of(this.file).text(true).split(File.pathSeparator);
		assertThat(entries).hasSize(3).allSatisfy((entry) -> assertThat(entry).endsWith(".jar"));
		try (JarFile application = new JarFile(entries[0]); JarFile core = new JarFile(entries[1])) {
			assertThat(application.getEntry("Application.class")).isNotNull();
			assertThat(core.getEntry("LockClient.class")).isNotNull();
		}
	}

	@Test
	void withoutTheStarterTheClassPathKeepsTheOtherEntries() {
		String[] entries = ApplicationClassPath.of(this.file).text(false).split(File.pathSeparator);
		assertThat(entries).hasSize(2);
		assertThat(entries[1]).endsWith("spring-core.jar");
	}

}
