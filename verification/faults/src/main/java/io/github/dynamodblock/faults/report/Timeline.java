/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.github.dynamodblock.faults.RunSettings;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.nemesis.Fault;
import io.github.dynamodblock.faults.nemesis.FaultKind;

/**
 * A picture of a minute of a run: a lane for each node with its faults, one for DynamoDB,
 * and one for each of a few locks with its holders, in SVG.
 */
public final class Timeline {

	private static final int LOCKS = 6;

	private static final Duration LONGEST = Duration.ofSeconds(60);

	private static final int LEFT = 104;

	private static final int RIGHT = 24;

	private static final int WIDTH = 732;

	private static final int LANE = 34;

	private static final int TOP = 70;

	/** What the picture shows, in words. */
	static final String DESCRIPTION = "A minute of the run, in lanes: the faults of each of five nodes, those of DynamoDB,"
			+ " and six locks with bars in the color of the node that held them.";

	private static final String STYLE = """
			<style>
			text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
			.note { fill: #59636e; font-size: 12px; } .title { font-weight: 600; }
			.card { fill: #ffffff; stroke: #d1d9e0; } .grid { stroke: #d1d9e0; }
			.node0 { fill: #0969da; } .node1 { fill: #e85aad; } .node2 { fill: #1a7f37; }
			.node3 { fill: #1b9aaa; } .node4 { fill: #8250df; }
			.killed { fill: #1f2328; } .stopped { fill: #818b98; } .cut { fill: #bc4c00; }
			.calls { fill: #d29922; } .deleted { fill: #d1242f; }
			@media (prefers-color-scheme: dark) {
			text { fill: #f0f6fc; } .note { fill: #9198a1; }
			.card { fill: #0d1117; stroke: #3d444d; } .grid { stroke: #3d444d; }
			.node0 { fill: #4493f8; } .node1 { fill: #f778ba; } .node2 { fill: #3fb950; }
			.node3 { fill: #39c5cf; } .node4 { fill: #ab7df8; }
			.killed { fill: #f0f6fc; } .cut { fill: #f0883e; } .deleted { fill: #f85149; }
			}
			</style>""";

	private final RunResult result;

	private final Interval window;

	private final List<String> lines = new ArrayList<>();

	private Timeline(RunResult result) {
		this.result = result;
		this.window = window(result);
	}

	/**
	 * Draws a run.
	 * @param result what came out of it
	 * @return lines of SVG
	 */
	public static List<String> of(RunResult result) {
		Timeline timeline = new Timeline(result);
		timeline.draw();
		return timeline.lines;
	}

	/** The minute in which most faults began. */
	private static Interval window(RunResult result) {
		Interval all = result.time();
		long length = Math.min(all.to() - all.from(), LONGEST.toNanos());
		return result.faults()
			.stream()
			.map(Fault::from)
			.filter((from) -> from + length <= all.to())
			.map((from) -> new Interval(from, from + length))
			.max(Comparator.comparingLong((window) -> result.faults()
				.stream()
				.filter((fault) -> fault.from() >= window.from() && fault.from() <= window.to())
				.count()))
			.filter((window) -> all.to() - all.from() > length)
			.orElse(new Interval(all.from(), all.from() + length));
	}

	private void draw() {
		int lanes = RunSettings.NODES + 1 + LOCKS;
		int height = TOP + lanes * LANE + 30;
		int width = LEFT + WIDTH + RIGHT;
		this.lines.add(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">",
				width, height));
		this.lines.add("<title>A minute of the run</title>");
		this.lines.add("<desc>" + DESCRIPTION + "</desc>");
		this.lines.addAll(STYLE.lines().toList());
		this.lines.add(String.format(Locale.ROOT,
				"<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>", width - 1,
				height - 1));
		text("title", LEFT, 26, "Faults of the nodes and of DynamoDB, and the locks in the color of their holder");
		legend();
		axis(height - 14);
		for (int node = 0; node < RunSettings.NODES; node++) {
			lane(node, "node " + node, look(node));
		}
		lane(RunSettings.NODES, "DynamoDB", "all");
		for (int lock = 0; lock < LOCKS; lock++) {
			lane(RunSettings.NODES + 1 + lock, "lock " + lock, "all");
		}
		this.result.history().holds().forEach(this::hold);
		this.result.faults().forEach(this::fault);
		this.lines.add("</svg>");
	}

	private void legend() {
		int x = LEFT;
		for (Mark mark : Mark.values()) {
			rectangle(x, 38, 10, 10, mark.look(), "");
			text("note", x + 16, 48, mark.title);
			x += 34 + mark.title.length() * 7;
		}
	}

	private void axis(int y) {
		long seconds = (this.window.to() - this.window.from()) / 1_000_000_000L;
		long start = (this.window.from() - this.result.time().from()) / 1_000_000_000L;
		for (long second = 0; second <= seconds; second += 5) {
			double x = x(this.window.from() + second * 1_000_000_000L);
			this.lines.add(String.format(Locale.ROOT,
					"<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/>", x, TOP - 6, x, y - 12));
			this.lines.add(String.format(Locale.ROOT,
					"<text class=\"note\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>", x, y,
					start + second));
		}
	}

	private void lane(int lane, String name, String look) {
		int y = TOP + lane * LANE;
		this.lines.add("<text class=\"title " + look + "\" x=\"16\" y=\"" + (y + 18) + "\">" + name + "</text>");
		this.lines.add("<line x1=\"" + LEFT + "\" y1=\"" + (y + LANE - 4) + "\" x2=\"" + (LEFT + WIDTH) + "\" y2=\""
				+ (y + LANE - 4) + "\" class=\"grid\"/>");
	}

	private void hold(Hold hold) {
		Grant grant = hold.grant();
		Hold.Ending ending = hold.ending();
		if (grant.lock() < LOCKS) {
			int lane = RunSettings.NODES + 1 + grant.lock();
			bar(lane, 2, LANE - 12, grant.granted(), (ending != null) ? ending.began() : hold.lastKnown(),
					look(grant.owner().node()), "");
		}
	}

	private void fault(Fault fault) {
		Mark mark = Mark.of(fault.kind());
		String title = fault.kind().title() + " " + fault.detail();
		Integer node = fault.node();
		if (node != null) {
			boolean process = fault.kind().place() == FaultKind.Place.PROCESS;
			bar(node, process ? 0 : LANE / 2 - 2, LANE / 2 - 4, fault.from(), fault.to(), mark.look(), title);
		}
		else if (fault.kind() == FaultKind.DELETED_ITEM) {
			int lock = Integer.parseInt(fault.detail().replace("lock ", ""));
			if (lock < LOCKS) {
				bar(RunSettings.NODES + 1 + lock, 0, LANE - 6, fault.from(), fault.to(), mark.look(), title);
			}
		}
		else {
			bar(RunSettings.NODES, 2, LANE - 12, fault.from(), fault.to(), mark.look(), title);
		}
	}

	private void bar(int lane, int top, int height, long from, long to, String look, String title) {
		if (to < this.window.from() || from > this.window.to()) {
			return;
		}
		double start = x(Math.max(from, this.window.from()));
		double width = Math.max(1.5, x(Math.min(to, this.window.to())) - start);
		rectangle(start, TOP + lane * LANE + top, width, height, look, title);
	}

	private void rectangle(double x, double y, double width, double height, String look, String title) {
		String start = String.format(Locale.ROOT,
				"<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\" class=\"%s\"", x, y, width, height, look);
		this.lines.add(start + (title.isEmpty() ? "/>" : "><title>" + title.trim() + "</title></rect>"));
	}

	private void text(String look, int x, int y, String text) {
		this.lines.add("<text class=\"" + look + "\" x=\"" + x + "\" y=\"" + y + "\">" + text + "</text>");
	}

	private double x(long time) {
		return LEFT + (double) (time - this.window.from()) / (this.window.to() - this.window.from()) * WIDTH;
	}

	private static String look(int node) {
		return "node" + node;
	}

	private enum Mark {

		KILLED("killed"), STOPPED("stopped"), CUT("cut off"), CALLS("calls go wrong"), DELETED("deleted");

		private final String title;

		Mark(String title) {
			this.title = title;
		}

		String look() {
			return name().toLowerCase(Locale.ROOT);
		}

		static Mark of(FaultKind kind) {
			return switch (kind) {
				case KILL, DATABASE_RESTART -> KILLED;
				case SHORT_PAUSE, LONG_PAUSE, DATABASE_PAUSE -> STOPPED;
				case CUT, BLACK_HOLE -> CUT;
				case DELETED_ITEM, NEW_TABLE -> DELETED;
				default -> CALLS;
			};
		}

	}

}
