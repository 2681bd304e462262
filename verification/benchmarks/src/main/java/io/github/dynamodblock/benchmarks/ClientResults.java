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

	/** A picture with a chart for each of some measures. */
	synchronized String picture(String title, List<Measure> measures) {
		return new BarCharts(title, description(measures), measures.stream().map(this::chart).toList()).svg();
	}

	/** What such a picture shows, in words. */
	synchronized String description(List<Measure> measures) {
		return measures.stream()
			.map(this::description)
			.collect(Collectors.joining("; ", "Charts with a bar for each client of the tables. ", "."));
	}

	private String description(Measure measure) {
		Map<String, Double> byClient = this.values.getOrDefault(measure, Map.of());
		List<Double> peers = byClient.entrySet()
			.stream()
			.filter((each) -> look(each.getKey()).equals("peer"))
			.map(Map.Entry::getValue)
			.sorted()
			.toList();
		StringBuilder text = new StringBuilder(measure.fullTitle()).append(": ");
		Stream.of(LOCKS, CycleClient.BARE)
			.filter(byClient::containsKey)
			.forEach((client) -> text.append(client).append(' ').append(text(measure, client)).append(", "));
		return peers.isEmpty() ? text.append("no peers").toString()
				: text.append("peers ")
					.append(measure.text(peers.get(0)))
					.append(" to ")
					.append(measure.text(peers.get(peers.size() - 1)))
					.toString();
	}

	private static String look(String client) {
		return client.equals(LOCKS) ? "ours" : client.equals(CycleClient.BARE) ? "reference" : "peer";
	}

	private BarCharts.Chart chart(Measure measure) {
		Map<String, Double> byClient = this.values.getOrDefault(measure, Map.of());
		// The bars are as long as the numbers say that the tables show, too.
		double greatest = byClient.values()
			.stream()
			.filter(Double::isFinite)
			.mapToDouble((value) -> Double.parseDouble(measure.text(value)))
			.max()
			.orElse(1);
		String note = switch (measure.part()) {
			case TWO_CLIENTS -> "2 clients x 8 threads, one key; ";
			case ONE_CLIENT -> "1 client x 16 threads, one key; ";
			default -> "";
		} + (measure.moreIsBetter() ? "more is better" : "less is better");
		return new BarCharts.Chart(measure.title(), note, clients(List.of(measure)).stream().map((client) -> {
			String shown = text(measure, client);
			double value = Double.isFinite(byClient.getOrDefault(client, Double.NaN)) ? Double.parseDouble(shown)
					: greatest;
			return new BarCharts.Bar(client, value, shown, look(client));
		}).toList());
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
