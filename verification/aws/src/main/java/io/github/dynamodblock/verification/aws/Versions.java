/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

import software.amazon.awssdk.core.util.VersionInfo;

/**
 * The versions that a report names.
 *
 * @param project this project's
 * @param dynamoDbLocal that of the DynamoDB Local that this run can start
 */
record Versions(String project, String dynamoDbLocal) {

	/** Reads what the build has written. */
	static Versions read() {
		Properties properties = new Properties();
		try (InputStream file = Versions.class.getResourceAsStream("versions.properties")) {
			properties.load(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new Versions(properties.getProperty("project"), properties.getProperty("dynamodb-local"));
	}

	String sdk() {
		return VersionInfo.SDK_VERSION;
	}

	String jdk() {
		return System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")";
	}

}
