/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Where a JVM finds classes that an earlier run of the application has loaded.
 */
enum ClassArchive {

	/** Only in the JDK's own archive, which every JVM uses. */
	NONE("start", 17, List.of(), List.of()),

	APP_CDS("start with AppCDS", 17, List.of("-XX:ArchiveClassesAtExit="),
			List.of("-Xshare:on", "-XX:SharedArchiveFile=")),

	AOT_CACHE("start with the AOT cache", 25, List.of("-XX:AOTCacheOutput="),
			List.of("-XX:AOTMode=on", "-XX:AOTCache="));

	private final String title;

	private final int firstJdk;

	private final List<String> training;

	private final List<String> use;

	ClassArchive(String title, int firstJdk, List<String> training, List<String> use) {
		this.title = title;
		this.firstJdk = firstJdk;
		this.training = training;
		this.use = use;
	}

	/** Those that this process's JDK knows. */
	static List<ClassArchive> known() {
		return Arrays.stream(values()).filter((each) -> each.firstJdk <= Runtime.version().feature()).toList();
	}

	String title() {
		return this.title;
	}

	/**
	 * The options of a run that writes the archive when it ends; none if there is no
	 * archive.
	 */
	List<String> training(Path file) {
		return options(this.training, file);
	}

	/** The options of a run that starts only if it can use the archive. */
	List<String> use(Path file) {
		return options(this.use, file);
	}

	private static List<String> options(List<String> options, Path file) {
		return options.stream().map((option) -> option.endsWith("=") ? option + file : option).toList();
	}

}
