/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

/**
 * The names of all properties, from the configuration metadata beside the classes.
 *
 * @param names the names; empty where there is no metadata, as in a native image
 */
record KnownProperties(Set<ConfigurationPropertyName> names) {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	/** Of dynamodb-lock-test, which has metadata of its own. */
	private static final String EMBEDDED = DynamoDbLockProperties.PREFIX + ".embedded.enabled";

	private static final Pattern NAME = Pattern
		.compile("\"name\":\\s*\"(" + DynamoDbLockProperties.PREFIX + "\\.[^\"]+)\"");

	private static final Pattern OF_CLIENT = Pattern
		.compile("(" + DynamoDbLockProperties.PREFIX.replace("-", "[-.]?") + "\\.clients\\.[^.]+\\.)(.+)");

	/** What a lock client does not have by itself, although it is bound with the rest. */
	private static final Set<String> COMMON = Set.of("advice");

	static KnownProperties load() {
		Set<ConfigurationPropertyName> names = new HashSet<>();
		NAME.matcher(metadata())
			.results()
			.map((name) -> ConfigurationPropertyName.adapt(name.group(1), '.'))
			.forEach(names::add);
		if (!names.isEmpty()) {
			names.add(ConfigurationPropertyName.of(EMBEDDED));
		}
		return new KnownProperties(Set.copyOf(names));
	}

	/** The names of those that a single lock client can have under its own name. */
	Set<ConfigurationPropertyName> ofOneClient() {
		Set<ConfigurationPropertyName> own = Arrays.stream(DynamoDbLockProperties.class.getRecordComponents())
			.map(RecordComponent::getName)
			.filter((component) -> !COMMON.contains(component))
			.map((component) -> ConfigurationPropertyName.adapt(DynamoDbLockProperties.PREFIX + "." + component, '.'))
			.collect(Collectors.toSet());
		return this.names.stream().filter((name) -> own.contains(name.chop(2))).collect(Collectors.toUnmodifiableSet());
	}

	/** Other libraries have metadata under the same path, which need not be read. */
	private static String metadata() {
		URL own = KnownProperties.class.getResource(ClassUtils.getClassFileName(KnownProperties.class));
		if (own == null) {
			return "";
		}
		String file = ClassUtils.convertClassNameToResourcePath(KnownProperties.class.getName())
				+ ClassUtils.CLASS_FILE_SUFFIX;
		String location = own.toString();
		if (!location.endsWith(file)) {
			return "";
		}
		try (InputStream json = URI.create(location.substring(0, location.length() - file.length()) + METADATA)
			.toURL()
			.openStream()) {
			return new String(json.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException | IllegalArgumentException ex) {
			return "";
		}
	}

	/** The name that an unknown one may have been meant for, or {@code null}. */
	@Nullable String nearest(String unknown) {
		var ofClient = OF_CLIENT.matcher(unknown);
		String prefix = ofClient.matches() ? ofClient.group(1) : "";
		String text = letters(prefix.isEmpty() ? unknown : DynamoDbLockProperties.PREFIX + "." + ofClient.group(2));
		int most = 1 + (text.length() - letters(DynamoDbLockProperties.PREFIX).length()) / 4;
		return (prefix.isEmpty() ? this.names : ofOneClient()).stream()
			.map(ConfigurationPropertyName::toString)
			.min(Comparator.<String>comparingInt((name) -> distance(text, letters(name)))
				.thenComparing(Comparator.naturalOrder()))
			.filter((name) -> distance(text, letters(name)) <= most)
			.map((name) -> prefix.isEmpty() ? name
					: prefix + name.substring(DynamoDbLockProperties.PREFIX.length() + 1))
			.orElse(null);
	}

	private static String letters(String name) {
		return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
	}

	/** The number of insertions, deletions and replacements between two texts. */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int column = 0; column < row.length; column++) {
			row[column] = column;
		}
		for (int line = 1; line <= one.length(); line++) {
			int diagonal = row[0];
			row[0] = line;
			for (int column = 1; column < row.length; column++) {
				int replaced = diagonal + ((one.charAt(line - 1) == other.charAt(column - 1)) ? 0 : 1);
				diagonal = row[column];
				row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
			}
		}
		return row[other.length()];
	}

}
