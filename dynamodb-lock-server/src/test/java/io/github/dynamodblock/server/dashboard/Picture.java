/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.dashboard;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Draws the panels of the dashboard as one SVG image, where Grafana places them. Its
 * colours follow the reader's light or dark theme.
 */
final class Picture {

	private static final int COLUMN = 40;

	private static final int ROW = 23;

	private static final int LEFT = 54;

	private static final int TOP = 34;

	private static final int LEGEND = 16;

	private static final int COLOURS = 10;

	private static final String STYLE = """
			  <style>
			    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
			    .page { fill: #f6f8fa; }
			    .card { fill: #ffffff; stroke: #d1d9e0; }
			    .title { font-weight: 600; }
			    .row { font-size: 14px; font-weight: 600; }
			    .stat { font-size: 30px; font-weight: 600; }
			    .note { fill: #59636e; font-size: 12px; }
			    .grid { stroke: #d1d9e0; stroke-width: 1; }
			    .line { stroke-width: 1.5; fill: none; stroke-linejoin: round; }
			    .bars { stroke-width: 3; }
			    .c0 { stroke: #0969da; } .c1 { stroke: #1a7f37; } .c2 { stroke: #bc4c00; }
			    .c3 { stroke: #8250df; } .c4 { stroke: #d1242f; } .c5 { stroke: #9a6700; }
			    .c6 { stroke: #1b9aaa; } .c7 { stroke: #e85aad; } .c8 { stroke: #7a8b00; }
			    .c9 { stroke: #59636e; }
			    @media (prefers-color-scheme: dark) {
			      text { fill: #f0f6fc; }
			      .page { fill: #010409; }
			      .card { fill: #0d1117; stroke: #3d444d; }
			      .note { fill: #9198a1; }
			      .grid { stroke: #3d444d; }
			      .c0 { stroke: #4493f8; } .c1 { stroke: #3fb950; } .c2 { stroke: #f0883e; }
			      .c3 { stroke: #ab7df8; } .c4 { stroke: #f85149; } .c5 { stroke: #d29922; }
			      .c6 { stroke: #39c5cf; } .c7 { stroke: #f778ba; } .c8 { stroke: #c6d94a; }
			      .c9 { stroke: #b1bac4; }
			    }
			  </style>
			""";

	private final StringBuilder svg = new StringBuilder();

	Picture(int rows, String title, String description) {
		line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">",
				24 * COLUMN, rows * ROW + 10);
		line("  <title>%s</title>", title);
		line("  <desc>%s</desc>", description);
		this.svg.append(STYLE);
		line("  <rect class=\"page\" width=\"100%%\" height=\"100%%\" rx=\"4\"/>");
	}

	void row(Place place, String title) {
		text("row", place.left() + 4, place.top() + 16, title);
	}

	void stat(Place place, String title, double value) {
		card(place, title);
		line("  <text class=\"stat\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.0f</text>",
				place.left() + place.width() / 2, place.top() + 66, value);
	}

	/** Draws a panel with a line, or with bars, for each name. */
	void graph(Place place, String title, String unit, boolean bars, Map<String, double[]> lines) {
		if (lines.size() > COLOURS) {
			throw new IllegalArgumentException(title + " has more lines than there are colours: " + lines.size());
		}
		card(place, title);
		int bottom = place.top() + place.height() - 28 - LEGEND * legend(place, 0, lines.keySet(), false);
		int right = place.left() + place.width() - 16;
		double highest = scale(lines.values()
			.stream()
			.flatMapToDouble(Arrays::stream)
			.filter((value) -> !Double.isNaN(value))
			.max()
			.orElse(0));
		for (int half = 0; half <= 2; half++) {
			int y = bottom - half * (bottom - place.top() - TOP) / 2;
			line("  <path class=\"grid\" d=\"M%d %dH%d\"/>", place.left() + LEFT, y, right);
			line("  <text class=\"note\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", place.left() + LEFT - 6,
					y + 4, value(highest * half / 2, unit));
		}
		int last = lines.values().iterator().next().length - 1;
		text("note", place.left() + LEFT, bottom + 15, "0 s");
		line("  <text class=\"note\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%d s</text>", right, bottom + 15,
				last * Recording.INTERVAL_SECONDS);
		int colour = 0;
		for (double[] values : lines.values()) {
			path(colour++, bars, values, place.left() + LEFT, right, bottom, bottom - place.top() - TOP, highest);
		}
		legend(place, bottom + 33, lines.keySet(), true);
	}

	/** Returns how many lines of text the names need. */
	private int legend(Place place, int top, Set<String> names, boolean draw) {
		int colour = 0;
		int x = 12;
		int y = top;
		for (String name : names) {
			int width = 28 + 13 * name.length() / 2;
			if (x + width > place.width() && x > 12) {
				x = 12;
				y += LEGEND;
			}
			if (draw) {
				line("  <path class=\"line c%d\" d=\"M%d %dh10\"/>", colour, place.left() + x, y - 4);
				text("note", place.left() + x + 14, y, name);
			}
			x += width;
			colour++;
		}
		return (y - top) / LEGEND + 1;
	}

	private void path(int colour, boolean bars, double[] values, int left, int right, int bottom, int height,
			double highest) {
		StringBuilder path = new StringBuilder();
		boolean drawn = false;
		for (int i = 0; i < values.length; i++) {
			if (!Double.isNaN(values[i])) {
				double x = left + (right - left) * i / (values.length - 1.0);
				double y = bottom - height * values[i] / highest;
				path.append(bars ? String.format(Locale.ROOT, "M%.0f %dV%.1f", x, bottom, y)
						: String.format(Locale.ROOT, "%s%.0f %.1f", drawn ? "L" : "M", x, y));
			}
			drawn = !Double.isNaN(values[i]);
		}
		line("  <path class=\"line c%d%s\" d=\"%s\"/>", colour, bars ? " bars" : "", path);
	}

	private void card(Place place, String title) {
		line("  <rect class=\"card\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>", place.left() + 3,
				place.top() + 3, place.width() - 6, place.height() - 6);
		text("title", place.left() + 12, place.top() + 22, title);
	}

	private void text(String look, int x, int y, String text) {
		line("  <text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", look, x, y, text);
	}

	/** Lengthens a scale to 1, 2 or 5 times a power of ten. */
	private static double scale(double highest) {
		double power = Math.pow(10, Math.floor(Math.log10((highest > 0) ? highest : 1)));
		for (double step : new double[] { 1, 2, 5 }) {
			if (step * power >= highest * 0.999) {
				return step * power;
			}
		}
		return 10 * power;
	}

	private static String value(double value, String unit) {
		String suffix = switch (unit) {
			case "s" -> " s";
			case "ops" -> "/s";
			case "short" -> "";
			default -> throw new IllegalArgumentException("A unit that is not drawn: " + unit);
		};
		return String.valueOf(Math.round(value * 1000) / 1000.0).replaceAll("\\.0$", "") + suffix;
	}

	private void line(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

	String svg() {
		return this.svg + "</svg>\n";
	}

	/**
	 * Where a panel is, in the dashboard's grid.
	 */
	record Place(int x, int y, int w, int h) {

		static Place of(Map<?, ?> position) {
			return new Place(number(position, "x"), number(position, "y"), number(position, "w"),
					number(position, "h"));
		}

		private static int number(Map<?, ?> position, String name) {
			return position.get(name) instanceof Integer number ? number : 0;
		}

		int left() {
			return this.x * COLUMN;
		}

		int top() {
			return this.y * ROW;
		}

		int width() {
			return this.w * COLUMN;
		}

		int height() {
			return this.h * ROW;
		}

	}

}
