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
import java.util.List;
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
 */
final class ClientsReport {

	private static final int COLUMNS = 120;

	/** What is drawn: what the tables show as well by themselves is left out. */
	private static final List<Measure> CYCLE = List.of(Measure.KILOBYTES, Measure.CPU_ON_ALL, Measure.CPU_ON_ONE,
			Measure.CYCLES_A_SECOND, Measure.MILLIS, Measure.MILLIS_P99);

	private static final List<Measure> WAITING = List.of(Measure.TWO_A_SECOND, Measure.TWO_CALLS, Measure.TWO_LONGEST,
			Measure.HAND_OFF, Measure.WAITING_UNITS, Measure.TAKEOVER);

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
	 * Writes the page and the pictures.
	 * @param docs the directory of the documentation
	 */
	void write(Path docs) {
		try {
			Files.writeString(docs.resolve("benchmarks.md"), page());
			Path images = Files.createDirectories(docs.resolve("images"));
			for (Map.Entry<String, String> picture : pictures(this.results).entrySet()) {
				Files.writeString(images.resolve(picture.getKey()), picture.getValue());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The page of the clients was not written to " + docs, ex);
		}
	}

	/** The pictures by the names of their files. */
	static Map<String, String> pictures(ClientResults results) {
		return Map.of("benchmarks-cycle.svg",
				results.picture("A cycle of acquire and release, client by client", CYCLE), "benchmarks-waiting.svg",
				results.picture("Contention, hand-off and takeover, client by client", WAITING));
	}

	/** The pictures as the page includes them, with what they show in words. */
	static Map<String, String> links(ClientResults results) {
		return Map.of("cycle", link(results.description(CYCLE), "benchmarks-cycle.svg"), "waiting",
				link(results.description(WAITING), "benchmarks-waiting.svg"));
	}

	private static String link(String description, String file) {
		StringBuilder text = new StringBuilder();
		int length = 0;
		for (String word : ("![" + description + "](images/" + file + ")").split(" ", -1)) {
			boolean fits = length + 1 + word.length() <= COLUMNS;
			text.append(text.isEmpty() ? "" : fits ? " " : "\n").append(word);
			length = (fits && length > 0) ? length + 1 + word.length() : word.length();
		}
		return text.toString();
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
		values.putAll(links(this.results));
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
