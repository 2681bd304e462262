/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.benchmarks.Measure.Part;

/**
 * What was measured of each client, and what could not be. Thread-safe.
 */
final class ClientResults {

	private static final String LOCKS = Libraries.LOCKS.name();

	private final Map<Measure, Map<String, Double>> values = new LinkedHashMap<>();

	private final List<String> failures = new ArrayList<>();

	synchronized void put(Measure measure, String client, double value) {
		this.values.computeIfAbsent(measure, (key) -> new LinkedHashMap<>()).put(client, value);
	}

	/**
	 * Measures something, and notes that it failed if it does.
	 * @param what is measured
	 * @param measurement measures it
	 * @throws InterruptedException if this thread is interrupted
	 */
	void attempt(String what, Measurement measurement) throws InterruptedException {
		try {
			measurement.measure();
		}
		catch (RuntimeException ex) {
			synchronized (this) {
				this.failures.add(what + ": " + ex);
			}
		}
	}

	synchronized List<String> failures() {
		return List.copyOf(this.failures);
	}

	/** A table with a row for each client of which the part was measured. */
	synchronized String table(Part part) {
		List<Measure> measures = measures(part);
		StringBuilder table = new StringBuilder("| client |");
		measures.forEach((measure) -> table.append(' ').append(measure.title()).append(" |"));
		table.append("\n| --- |").append(" ---: |".repeat(measures.size())).append('\n');
		for (String client : clients(measures)) {
			table.append("| ").append(client).append(" |");
			measures.forEach((measure) -> table.append(' ').append(text(measure, client)).append(" |"));
			table.append('\n');
		}
		return table.toString();
	}

	/** A table of the numbers in which a peer is better than the lock client. */
	synchronized String lost() {
		StringBuilder table = new StringBuilder("| number | dynamodb-lock | better |\n| --- | ---: | --- |\n");
		this.values.forEach((measure, byClient) -> {
			double ours = byClient.getOrDefault(LOCKS, Double.NaN);
			String better = byClient.entrySet()
				.stream()
				.filter((peer) -> !peer.getKey().equals(CycleClient.BARE) && measure.isBetter(peer.getValue(), ours))
				.map((peer) -> peer.getKey() + " " + measure.text(peer.getValue()))
				.collect(Collectors.joining(" · "));
			if (!better.isEmpty()) {
				table.append("| %s | %s | %s |\n".formatted(measure.fullTitle(), measure.text(ours), better));
			}
		});
		return table.toString();
	}

	/** A picture with a chart for each measure of some parts. */
	synchronized String picture(String title, Part... parts) {
		return new BarCharts(title,
				Arrays.stream(parts).flatMap((part) -> measures(part).stream()).map(this::chart).toList())
			.svg();
	}

	private BarCharts.Chart chart(Measure measure) {
		Map<String, Double> byClient = this.values.getOrDefault(measure, Map.of());
		double greatest = byClient.values()
			.stream()
			.filter(Double::isFinite)
			.mapToDouble((value) -> value)
			.max()
			.orElse(1);
		String note = switch (measure.part()) {
			case TWO_CLIENTS -> "2 clients x 8 threads, one key; ";
			case ONE_CLIENT -> "1 client x 16 threads, one key; ";
			default -> "";
		} + (measure.moreIsBetter() ? "more is better" : "less is better");
		return new BarCharts.Chart(measure.title(), note,
				byClient.entrySet()
					.stream()
					.map((each) -> new BarCharts.Bar(each.getKey(), Math.min(each.getValue(), greatest),
							measure.text(each.getValue()), LOCKS.equals(each.getKey())))
					.toList());
	}

	private List<Measure> measures(Part part) {
		return Arrays.stream(Measure.values()).filter((measure) -> measure.part() == part).toList();
	}

	/** In the order of the libraries: some parts are measured side by side. */
	private List<String> clients(List<Measure> measures) {
		return Stream.concat(Stream.of(CycleClient.BARE), Libraries.WAITING.stream().map(LockingClient.Library::name))
			.filter((client) -> measures.stream()
				.anyMatch((measure) -> this.values.getOrDefault(measure, Map.of()).containsKey(client)))
			.toList();
	}

	private String text(Measure measure, String client) {
		Double value = this.values.getOrDefault(measure, Map.of()).get(client);
		return (value == null) ? "not measured" : measure.text(value);
	}

	/**
	 * Measures something.
	 */
	interface Measurement {

		void measure() throws InterruptedException;

	}

}
