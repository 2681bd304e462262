/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

import io.github.dynamodblock.benchmarks.Measure.Part;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.util.VersionInfo;

/**
 * Writes the page about the clients side by side: the template
 * {@code clients.md.template} with the tables of a run, and pictures of the same numbers.
 * Also replaces the table of the comparison that shows where peers are better.
 */
final class ClientsReport {

	private static final String BEGIN = "<!-- begin the numbers of the benchmark -->\n";

	private static final String END = "<!-- end the numbers of the benchmark -->";

	private final ClientResults results;

	private final double loadBefore;

	private final double greatestLoad;

	/**
	 * @param results what was measured
	 * @param loadBefore the load average before the run
	 * @param greatestLoad the greatest load average of the run
	 */
	ClientsReport(ClientResults results, double loadBefore, double greatestLoad) {
		this.results = results;
		this.loadBefore = loadBefore;
		this.greatestLoad = greatestLoad;
	}

	/**
	 * Writes the page, the pictures and the table of the comparison.
	 * @param docs the directory of the documentation
	 */
	void write(Path docs) {
		try {
			Files.writeString(docs.resolve("benchmarks.md"), page());
			Path images = Files.createDirectories(docs.resolve("images"));
			Files.writeString(images.resolve("benchmarks-cycle.svg"),
					this.results.picture("A cycle of acquire and release, client by client", Part.CYCLE));
			Files.writeString(images.resolve("benchmarks-waiting.svg"),
					this.results.picture("Contention, hand-off and takeover, client by client", Part.TWO_CLIENTS,
							Part.ONE_CLIENT, Part.HAND_OFF, Part.TAKEOVER));
			Path comparison = docs.resolve("comparison.md");
			String text = Files.readString(comparison);
			Files.writeString(comparison, text.substring(0, text.indexOf(BEGIN) + BEGIN.length()) + "\n"
					+ this.results.lost() + "\n" + text.substring(text.indexOf(END)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The page of the clients was not written to " + docs, ex);
		}
	}

	String page() {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("date", LocalDate.now(ZoneOffset.UTC).toString());
		values.put("machine", machine());
		values.put("load", String.format(Locale.ROOT, "%.1f before the run and up to %.1f during it", this.loadBefore,
				this.greatestLoad));
		values.put("sdk", VersionInfo.SDK_VERSION);
		values.put("local", version("software/amazon/dynamodb/DynamoDBLocal"));
		values.put("aws", version("com.amazonaws/dynamodb-lock-client"));
		values.put("shedlock", version("net.javacrumbs.shedlock/shedlock-provider-dynamodb2"));
		values.put("spring", version("io.awspring.cloud/spring-cloud-aws-dynamodb"));
		values.put("lost", this.results.lost().strip());
		values.put("failures", this.results.failures().isEmpty() ? ""
				: "\n**Not measured in this run:** " + String.join("; ", this.results.failures()) + "\n");
		Arrays.stream(Part.values()).forEach((part) -> values.put(part.name(), this.results.table(part).strip()));
		String page = resource("/clients.md.template");
		for (Map.Entry<String, String> value : values.entrySet()) {
			page = page.replace("{{" + value.getKey() + "}}", value.getValue());
		}
		return page;
	}

	private static String machine() {
		return "%d processors (%s), %s %s, OpenJDK %s".formatted(Runtime.getRuntime().availableProcessors(),
				processor(), System.getProperty("os.name"), System.getProperty("os.version"),
				System.getProperty("java.version"));
	}

	private static String processor() {
		try {
			return Files.readAllLines(Path.of("/proc/cpuinfo"))
				.stream()
				.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.distinct()
				.collect(Collectors.joining(", "));
		}
		catch (IOException ex) {
			return System.getProperty("os.arch");
		}
	}

	/** The version of a library on the class path, as Maven wrote it into the jar. */
	private static String version(String artifact) {
		Properties properties = new Properties();
		try (InputStream file = open("/META-INF/maven/" + artifact + "/pom.properties")) {
			properties.load(file);
			return properties.getProperty("version");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String resource(String name) {
		try (InputStream file = open(name)) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static InputStream open(String name) throws IOException {
		@Nullable InputStream file = ClientsReport.class.getResourceAsStream(name);
		if (file == null) {
			throw new IOException("Not on the class path: " + name);
		}
		return file;
	}

}
