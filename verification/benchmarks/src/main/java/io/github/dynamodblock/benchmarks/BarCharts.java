/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * Draws bar charts as one SVG picture, two in a row, in the style of the project's other
 * pictures: its card, fonts and colors, which follow the reader's light or dark theme.
 */
final class BarCharts {

	private static final int WIDTH = 860;

	private static final int COLUMNS = 2;

	private static final int MARGIN = 16;

	private static final int HEADER = 42;

	private static final int BAR = 22;

	private static final int NAMES = 184;

	private static final int VALUES = 54;

	private static final String STYLE = """
			  <style>
			    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
			    .card { fill: #ffffff; stroke: #d1d9e0; }
			    .title { font-weight: 600; }
			    .note { fill: #59636e; font-size: 12px; }
			    .peer { fill: #818b98; }
			    .ours { fill: #0969da; }
			    .reference { fill: #f6f8fa; stroke: #818b98; stroke-dasharray: 5 4; }
			    @media (prefers-color-scheme: dark) {
			      text { fill: #f0f6fc; }
			      .card { fill: #0d1117; stroke: #3d444d; }
			      .note { fill: #9198a1; }
			      .ours { fill: #4493f8; }
			      .reference { fill: #151b23; }
			    }
			  </style>
			""";

	private final String title;

	private final String description;

	private final List<Chart> charts;

	BarCharts(String title, String description, List<Chart> charts) {
		this.title = title;
		this.description = description;
		this.charts = List.copyOf(charts);
	}

	String svg() {
		int chartWidth = (WIDTH - MARGIN) / COLUMNS;
		int chartHeight = HEADER + BAR * this.charts.stream().mapToInt((chart) -> chart.bars().size()).max().orElse(0)
				+ MARGIN;
		int rows = (this.charts.size() + COLUMNS - 1) / COLUMNS;
		int height = MARGIN + rows * chartHeight;
		StringBuilder svg = new StringBuilder(format("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
				  <title>%s</title>
				  <desc>%s</desc>
				""", WIDTH, height, WIDTH, height, escaped(this.title), escaped(this.description)));
		svg.append(STYLE);
		svg.append(format("  <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>%n",
				WIDTH - 1, height - 1));
		for (int i = 0; i < this.charts.size(); i++) {
			svg.append(format("  <g transform=\"translate(%d %d)\">%n", MARGIN + i % COLUMNS * chartWidth,
					MARGIN + i / COLUMNS * chartHeight));
			draw(this.charts.get(i), chartWidth - MARGIN, svg);
			svg.append("  </g>\n");
		}
		return svg.append("</svg>\n").toString();
	}

	private static void draw(Chart chart, int width, StringBuilder svg) {
		svg.append(format("    <text class=\"title\" y=\"13\">%s</text>%n", escaped(chart.title())));
		svg.append(format("    <text class=\"note\" y=\"30\">%s</text>%n", escaped(chart.note())));
		double greatest = chart.bars().stream().mapToDouble(Bar::value).max().orElse(0);
		int y = HEADER;
		for (Bar bar : chart.bars()) {
			// At least a pixel, so that no bar looks like a missing one.
			double length = (greatest > 0) ? Math.max(1, bar.value() / greatest * (width - NAMES - VALUES)) : 1;
			svg.append(format("    <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", NAMES - 8, y + 11,
					escaped(bar.name())));
			svg.append(format("    <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
					bar.look(), NAMES, y, length, BAR - 8));
			svg.append(format("    <text x=\"%.1f\" y=\"%d\">%s</text>%n", NAMES + length + 6, y + 11,
					escaped(bar.text())));
			y += BAR;
		}
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

	private static String format(String format, Object... values) {
		return String.format(Locale.ROOT, format.replace("%n", "\n"), values);
	}

	/**
	 * Bars that are compared with each other.
	 *
	 * @param title what is measured, in which unit
	 * @param note how to read it
	 * @param bars from top to bottom
	 */
	record Chart(String title, String note, List<Bar> bars) {

	}

	/**
	 * One bar.
	 *
	 * @param name at its left
	 * @param value its length
	 * @param text at its right
	 * @param look {@code ours}, {@code peer}, or {@code reference} for what is no peer
	 */
	record Bar(String name, double value, String text, String look) {

	}

}
