/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Formats what a node's actuator reports about its locks.
 */
final class Operations {

	private static final String METERS = "dynamodb.lock.";

	/** How many elements of a list are printed. */
	private static final int FIRST = 2;

	private Operations() {
	}

	/**
	 * Reads the endpoint {@code locks}.
	 * @param node the node
	 * @return its answer, with the first elements of each list
	 */
	static String locks(NodeClient node) throws IOException, InterruptedException, DemoFailedException {
		return node.actuator("locks").map((locks) -> shorten(locks).toString()).orElse("has no such endpoint");
	}

	/**
	 * Reads the meters of the locks.
	 * @param node the node
	 * @return one line a meter
	 */
	static List<String> meters(NodeClient node) throws IOException, InterruptedException, DemoFailedException {
		List<String> names = new ArrayList<>();
		node.actuator("metrics")
			.ifPresent((metrics) -> metrics.get("names").forEach((name) -> names.add(name.asString())));
		List<String> lines = new ArrayList<>();
		for (String name : names) {
			if (name.startsWith(METERS)) {
				node.actuator("metrics/" + name).map(Operations::describe).ifPresent(lines::add);
			}
		}
		return lines.isEmpty() ? List.of("has no meters of locks") : lines;
	}

	static JsonNode shorten(JsonNode json) {
		if (json instanceof ArrayNode array && array.size() > FIRST) {
			int more = array.size() - FIRST;
			while (array.size() > FIRST) {
				array.remove(FIRST);
			}
			array.add("and " + more + " more");
		}
		json.forEach(Operations::shorten);
		return json;
	}

	static String describe(JsonNode meter) {
		List<String> tags = new ArrayList<>();
		for (JsonNode tag : meter.get("availableTags")) {
			List<String> values = new ArrayList<>();
			tag.get("values").forEach((value) -> values.add(value.asString()));
			tags.add(tag.get("tag").asString() + "=" + String.join("|", values));
		}
		List<String> values = new ArrayList<>();
		for (JsonNode measurement : meter.get("measurements")) {
			values.add(measurement.get("statistic").asString() + " " + number(measurement.get("value").asDouble()));
		}
		return meter.get("name").asString() + tags + "  " + String.join("  ", values);
	}

	private static String number(double value) {
		return (value == Math.rint(value)) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3f", value);
	}

}
