/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Writes what the clients cost side by side: a table in Markdown and a picture.
 */
final class CostReport {

	private static final String TABLE_FILE = "clients.md";

	private static final String PICTURE_FILE = "clients.svg";

	/** What each column shows, in the table and as a panel of the picture. */
	private static final List<Column> COLUMNS = List.of(
			new Column("calls a cycle", "less is better", "%.0f", ClientCost::calls),
			new Column("KB allocated a cycle", "less is better", "%.0f", ClientCost::kilobytes),
			new Column("CPU a cycle, 16 threads, µs", "less is better", "%.0f", ClientCost::cpuOnAll),
			new Column("CPU a cycle, 1 thread, µs", "less is better", "%.0f", ClientCost::cpuOnOne),
			new Column("cycles/s, 16 threads, +5 ms a call", "more is better", "%.0f", ClientCost::perSecond),
			new Column("ms a cycle, 1 thread, +5 ms a call", "less is better", "%.2f", ClientCost::millis));

	private final List<ClientCost> costs;

	/**
	 * @param costs of the clients, in the order in which they are shown
	 */
	CostReport(List<ClientCost> costs) {
		this.costs = List.copyOf(costs);
	}

	/**
	 * Writes the table and the picture.
	 * @param directory where to, created if it is missing
	 */
	void write(Path directory) {
		try {
			Files.createDirectories(directory);
			Files.writeString(directory.resolve(TABLE_FILE), page());
			Files.writeString(directory.resolve(PICTURE_FILE), picture());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The report of the clients was not written to " + directory, ex);
		}
	}

	String table() {
		StringBuilder table = new StringBuilder("| client |");
		COLUMNS.forEach((column) -> table.append(' ').append(column.title()).append(" |"));
		table.append("\n| --- |").append(" ---: |".repeat(COLUMNS.size())).append('\n');
		for (ClientCost cost : this.costs) {
			table.append("| ").append(cost.name()).append(" |");
			COLUMNS.forEach((column) -> table.append(' ').append(column.text(cost)).append(" |"));
			table.append('\n');
		}
		return table.toString();
	}

	String picture() {
		return new BarCharts("A cycle of acquire and release, client by client",
				COLUMNS.stream().map(this::chart).toList())
			.svg();
	}

	private BarCharts.Chart chart(Column column) {
		return new BarCharts.Chart(column.title(), column.note(),
				this.costs.stream()
					.map((cost) -> new BarCharts.Bar(cost.name(), column.value().applyAsDouble(cost), column.text(cost),
							CycleClient.LOCKS.equals(cost.name())))
					.collect(Collectors.toList()));
	}

	private String page() {
		return """
				# Acquire and release, client by client

				Written by `./verification/benchmarks/run cost` on %s: Java %s on %s, %d processors, load average %.1f at the end.
				The numbers stand for this machine alone. [How to read them](../README.md#the-clients-side-by-side).

				%s
				![The same numbers as bars](%s)
				"""
			.formatted(LocalDate.now(ZoneOffset.UTC), System.getProperty("java.version"), System.getProperty("os.name"),
					Runtime.getRuntime().availableProcessors(),
					ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), table(), PICTURE_FILE);
	}

	private record Column(String title, String note, String format, ToDoubleFunction<ClientCost> value) {

		String text(ClientCost cost) {
			return String.format(Locale.ROOT, this.format, this.value.applyAsDouble(cost));
		}

	}

}
