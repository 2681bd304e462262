/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.dashboard;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What scrapes of several nodes returned, at a fixed interval. A file of it has one line
 * for each series, with one value for each scrape and {@code -} where there is none.
 */
final class Recording {

	/** The time between two scrapes. */
	static final int INTERVAL_SECONDS = 2;

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(dynamodb_lock_[a-z_]+)\\{([^}]*)} (\\S+)$");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

	private static final MathContext PRECISION = new MathContext(4);

	private final Map<String, List<Double>> values = new TreeMap<>();

	private int scrapes;

	/** Begins the next scrape of all nodes. */
	void next() {
		this.scrapes++;
	}

	/** Adds what a node answered, with the labels that Prometheus adds. */
	void add(String instance, String scrape) {
		Matcher sample = SAMPLE.matcher(scrape);
		while (sample.find()) {
			Map<String, String> labels = labels(sample.group(2));
			labels.put("instance", instance);
			labels.put("job", "shop");
			String series = labels.entrySet()
				.stream()
				.map((label) -> label.getKey() + "=\"" + label.getValue() + "\"")
				.collect(Collectors.joining(",", sample.group(1) + "{", "}"));
			List<Double> list = this.values.computeIfAbsent(series, (name) -> new ArrayList<>());
			fill(list, this.scrapes - 1);
			list.add(Double.parseDouble(sample.group(3)));
		}
	}

	private static void fill(List<Double> list, int size) {
		while (list.size() < size) {
			list.add(Double.NaN);
		}
	}

	private static Map<String, String> labels(String text) {
		Map<String, String> labels = new TreeMap<>();
		LABEL.matcher(text).results().forEach((label) -> labels.put(label.group(1), label.group(2)));
		return labels;
	}

	/** Writes the series of some metrics. */
	void write(Path file, List<String> metrics) throws IOException {
		Files.write(file,
				this.values.entrySet()
					.stream()
					.filter((series) -> metrics.contains(series.getKey().substring(0, series.getKey().indexOf('{'))))
					.map((series) -> {
						fill(series.getValue(), this.scrapes);
						return series.getKey() + " "
								+ series.getValue().stream().map(Recording::text).collect(Collectors.joining(" "));
					})
					.toList());
	}

	private static String text(double value) {
		return Double.isFinite(value) ? new BigDecimal(value).round(PRECISION).stripTrailingZeros().toPlainString()
				: "-";
	}

	static List<Series> read(Path file) throws IOException {
		return Files.readAllLines(file).stream().map(Recording::series).toList();
	}

	private static Series series(String line) {
		int labels = line.indexOf('{');
		int end = line.indexOf("} ");
		return new Series(line.substring(0, labels), labels(line.substring(labels, end)),
				Arrays.stream(line.substring(end + 2).split(" "))
					.map((value) -> value.equals("-") ? Double.NaN : Double.parseDouble(value))
					.toList());
	}

	/**
	 * One series.
	 *
	 * @param metric its name
	 * @param labels its labels
	 * @param values a value for each scrape, NaN where there is none
	 */
	record Series(String metric, Map<String, String> labels, List<Double> values) {
	}

}
