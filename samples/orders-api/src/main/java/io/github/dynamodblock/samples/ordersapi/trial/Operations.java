/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.samples.support.RunFailedException;
import tools.jackson.databind.JsonNode;

/**
 * What a node's actuator says of its locks, as lines to be shown.
 */
final class Operations {

	private static final String METERS = "dynamodb.lock.";

	private Operations() {
	}

	/**
	 * The endpoint {@code locks}.
	 * @param node the node
	 * @return what it answers, shortened
	 */
	static String locks(Node node) throws IOException, InterruptedException, RunFailedException {
		return node.actuator("locks").map(JsonNode::toString).orElse("none");
	}

	/**
	 * The meters of the locks.
	 * @param node the node
	 * @return one line a meter
	 */
	static List<String> meters(Node node) throws IOException, InterruptedException, RunFailedException {
		List<String> names = new ArrayList<>();
		node.actuator("metrics")
			.ifPresent((metrics) -> metrics.get("names").forEach((name) -> names.add(name.asString())));
		List<String> lines = new ArrayList<>();
		for (String name : names) {
			if (name.startsWith(METERS)) {
				node.actuator("metrics/" + name).map(Operations::describe).ifPresent(lines::add);
			}
		}
		return lines;
	}

	private static String describe(JsonNode meter) {
		List<String> values = new ArrayList<>();
		for (JsonNode measurement : meter.get("measurements")) {
			values.add(measurement.get("statistic").asString() + " " + measurement.get("value").asString());
		}
		return meter.get("name").asString() + "  " + String.join("  ", values);
	}

}
