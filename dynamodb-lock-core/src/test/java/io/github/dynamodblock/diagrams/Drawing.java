/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

/**
 * An SVG image whose colours follow the reader's light or dark theme. Text fits because
 * positions are chosen for it; nothing is measured.
 */
final class Drawing {

	private static final String STYLE = """
			  <style>
			    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
			    .card { fill: #ffffff; stroke: #d1d9e0; }
			    .title { font-weight: 600; }
			    .note { fill: #59636e; font-size: 12px; }
			    .line { stroke: #818b98; stroke-width: 1.5; fill: none; }
			    .thin { stroke: #d1d9e0; }
			    .dashed { stroke-dasharray: 5 4; }
			    .tip { fill: #818b98; }
			    .box { fill: #f6f8fa; stroke: #818b98; }
			    .one { fill: #ddf4ff; stroke: #0969da; }
			    .two { fill: #dafbe1; stroke: #1a7f37; }
			    .bad { fill: #ffebe9; stroke: #d1242f; }
			    .wait { fill: #ffffff; stroke: #818b98; stroke-dasharray: 5 4; }
			    .curve { stroke: #0969da; stroke-width: 2; fill: none; }
			    .dot { fill: #1a7f37; }
			    .badline { stroke: #d1242f; stroke-width: 1.5; fill: none; stroke-dasharray: 5 4; }
			    .badtip { fill: #d1242f; }
			    .badtext { fill: #d1242f; font-weight: 600; }
			    @media (prefers-color-scheme: dark) {
			      text { fill: #f0f6fc; }
			      .card { fill: #0d1117; stroke: #3d444d; }
			      .note { fill: #9198a1; }
			      .thin { stroke: #3d444d; }
			      .box { fill: #151b23; }
			      .one { fill: #0c2d6b; stroke: #4493f8; }
			      .two { fill: #033a16; stroke: #3fb950; }
			      .bad { fill: #5d0f12; stroke: #f85149; }
			      .wait { fill: #0d1117; }
			      .curve { stroke: #4493f8; }
			      .dot { fill: #3fb950; }
			      .badline { stroke: #f85149; }
			      .badtip { fill: #f85149; }
			      .badtext { fill: #f85149; }
			    }
			  </style>
			""";

	private final StringBuilder svg = new StringBuilder();

	Drawing(int width, int height, String title, String description) {
		this.svg
			.append("""
					<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
					  <title>%3$s</title>
					  <desc>%4$s</desc>
					%5$s  <defs>
					    <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
					      <path class="tip" d="M0 0L8 4L0 8z"/>
					    </marker>
					    <marker id="badtip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
					      <path class="badtip" d="M0 0L8 4L0 8z"/>
					    </marker>
					  </defs>
					  <rect class="card" x="0.5" y="0.5" width="%6$d" height="%7$d" rx="8"/>
					"""
				.formatted(width, height, escaped(title), escaped(description), STYLE, width - 1, height - 1));
	}

	Drawing box(String look, int x, int y, int width, int height) {
		this.svg.append("  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>%n".formatted(look,
				x, y, width, height));
		return this;
	}

	/** A box with lines of text in its middle, the first one a title. */
	Drawing box(String look, int x, int y, int width, int height, String title, String... notes) {
		box(look, x, y, width, height);
		int baseline = y + height / 2 + 5 - 8 * notes.length;
		centred("title", x + width / 2, baseline, title);
		for (int i = 0; i < notes.length; i++) {
			centred("note", x + width / 2, baseline + 16 * (i + 1), notes[i]);
		}
		return this;
	}

	Drawing text(String look, int x, int y, String text) {
		return text(look, x, y, "start", text);
	}

	Drawing centred(String look, int x, int y, String text) {
		return text(look, x, y, "middle", text);
	}

	/** Text that ends at a place. */
	Drawing before(String look, int x, int y, String text) {
		return text(look, x, y, "end", text);
	}

	private Drawing text(String look, int x, int y, String anchor, String text) {
		this.svg.append("  <text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n".formatted(look, x, y,
				anchor, escaped(text)));
		return this;
	}

	Drawing line(String look, int fromX, int fromY, int toX, int toY) {
		return path("line " + look, "M%d %dL%d %d".formatted(fromX, fromY, toX, toY), "");
	}

	Drawing curve(String path) {
		return path("curve", path, "");
	}

	Drawing dot(int x, int y) {
		this.svg.append("  <circle class=\"dot\" cx=\"%d\" cy=\"%d\" r=\"5\"/>%n".formatted(x, y));
		return this;
	}

	/** An arrow of a call that changes nothing: a read, or a refused write. */
	Drawing dashedArrow(int fromX, int fromY, int toX, int toY) {
		return dashedArrow("M%d %dL%d %d".formatted(fromX, fromY, toX, toY));
	}

	Drawing dashedArrow(String path) {
		return path("line dashed", path, " marker-end=\"url(#tip)\"");
	}

	Drawing arrow(int fromX, int fromY, int toX, int toY) {
		return arrow("M%d %dL%d %d".formatted(fromX, fromY, toX, toY));
	}

	Drawing arrow(String path) {
		return path("line", path, " marker-end=\"url(#tip)\"");
	}

	Drawing badArrow(int fromX, int fromY, int toX, int toY) {
		return path("badline", "M%d %dL%d %d".formatted(fromX, fromY, toX, toY), " marker-end=\"url(#badtip)\"");
	}

	private Drawing path(String look, String path, String end) {
		this.svg.append("  <path class=\"%s\" d=\"%s\"%s/>%n".formatted(look, path, end));
		return this;
	}

	String svg() {
		return this.svg.toString().replace(System.lineSeparator(), "\n") + "</svg>\n";
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

}
