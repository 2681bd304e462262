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
	NONE("start", 17, "", "", ""),

	APP_CDS("start with AppCDS", 17, "-XX:ArchiveClassesAtExit=", "-Xshare:on", "-XX:SharedArchiveFile="),

	AOT_CACHE("start with the AOT cache", 25, "-XX:AOTCacheOutput=", "-XX:AOTMode=on", "-XX:AOTCache=");

	private final String title;

	private final int firstJdk;

	private final String training;

	private final String required;

	private final String use;

	ClassArchive(String title, int firstJdk, String training, String required, String use) {
		this.title = title;
		this.firstJdk = firstJdk;
		this.training = training;
		this.required = required;
		this.use = use;
	}

	/** Those that this process's JDK knows. */
	static List<ClassArchive> known() {
		return Arrays.stream(values()).filter((each) -> each.firstJdk <= Runtime.version().feature()).toList();
	}

	String title() {
		return this.title;
	}

	/** The options of a run that writes the archive; none if there is no archive. */
	List<String> training(Path file) {
		return (this == NONE) ? List.of() : List.of(this.training + file);
	}

	/** The options of a run that starts only if it can use the archive. */
	List<String> use(Path file) {
		return (this == NONE) ? List.of() : List.of(this.required, this.use + file);
	}

}
