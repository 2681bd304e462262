/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * Draws bar charts as one SVG picture, two in a row. It has no background and takes its
 * colors from the reader's light or dark scheme.
 */
final class BarCharts {

	private static final int WIDTH = 840;

	private static final int COLUMNS = 2;

	private static final int MARGIN = 16;

	private static final int HEADER = 40;

	private static final int BAR = 22;

	private static final int NAMES = 164;

	private static final int VALUES = 52;

	private static final String STYLE = """
			  <style>
			    text { font: 12px system-ui, sans-serif; fill: #24292f; }
			    .title { font-weight: 600; font-size: 13px; }
			    .note { fill: #57606a; font-size: 11px; }
			    .bar { fill: #8c959f; }
			    .ours { fill: #0969da; }
			    @media (prefers-color-scheme: dark) {
			      text { fill: #e6edf3; }
			      .note { fill: #9198a1; }
			      .bar { fill: #6e7681; }
			      .ours { fill: #4493f8; }
			    }
			  </style>
			""";

	private final String title;

	private final List<Chart> charts;

	BarCharts(String title, List<Chart> charts) {
		this.title = title;
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
				""", WIDTH, height, WIDTH, height, escaped(this.title)));
		svg.append(STYLE);
		for (int i = 0; i < this.charts.size(); i++) {
			svg.append(format("  <g transform=\"translate(%d %d)\">%n", MARGIN + i % COLUMNS * chartWidth,
					MARGIN + i / COLUMNS * chartHeight));
			draw(this.charts.get(i), chartWidth - MARGIN, svg);
			svg.append("  </g>\n");
		}
		return svg.append("</svg>\n").toString();
	}

	private static void draw(Chart chart, int width, StringBuilder svg) {
		svg.append(format("    <text class=\"title\" y=\"12\">%s</text>%n", escaped(chart.title())));
		svg.append(format("    <text class=\"note\" y=\"27\">%s</text>%n", escaped(chart.note())));
		double greatest = chart.bars().stream().mapToDouble(Bar::value).max().orElse(0);
		int y = HEADER;
		for (Bar bar : chart.bars()) {
			// At least a pixel, so that no bar looks like a missing one.
			double length = (greatest > 0) ? Math.max(1, bar.value() / greatest * (width - NAMES - VALUES)) : 1;
			svg.append(format("    <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", NAMES - 8, y + 11,
					escaped(bar.name())));
			svg.append(format("    <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
					bar.highlighted() ? "ours" : "bar", NAMES, y, length, BAR - 8));
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
	 * @param highlighted whether it stands out
	 */
	record Bar(String name, double value, String text, boolean highlighted) {

	}

}
