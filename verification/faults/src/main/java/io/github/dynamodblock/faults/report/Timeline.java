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

	private static final int LEFT = 90;

	private static final int RIGHT = 30;

	private static final int WIDTH = 1400;

	private static final int LANE = 34;

	private static final int TOP = 60;

	private static final String STYLE = """
			<style>
			text { fill: #1f2328; } .page { fill: #ffffff; } .grid { stroke: #d1d9e0; }
			.node0 { fill: #4477aa; } .node1 { fill: #ee6677; } .node2 { fill: #228833; }
			.node3 { fill: #ccbb44; } .node4 { fill: #aa3377; }
			.killed { fill: #1f2328; } .stopped { fill: #888888; } .cut { fill: #e08000; }
			.calls { fill: #f0c070; } .deleted { fill: #d00000; }
			@media (prefers-color-scheme: dark) {
			text { fill: #f0f6fc; } .page { fill: #0d1117; } .grid { stroke: #3d444d; }
			.node0 { fill: #66a3e0; } .node2 { fill: #3fb950; } .node4 { fill: #d168a3; }
			.killed { fill: #f0f6fc; } .calls { fill: #8a6a2f; } .deleted { fill: #ff3b30; }
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
		this.lines.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + (LEFT + WIDTH + RIGHT) + " "
				+ height + "\" font-family=\"sans-serif\" font-size=\"11\">");
		this.lines.addAll(STYLE.lines().toList());
		this.lines.add("<rect class=\"page\" width=\"100%\" height=\"100%\"/>");
		text(LEFT, 18, "Faults of nodes and of DynamoDB, and who held some of the locks (the colour is the node's)");
		legend();
		for (int node = 0; node < RunSettings.NODES; node++) {
			lane(node, "node " + node, look(node));
		}
		lane(RunSettings.NODES, "DynamoDB", "all");
		for (int lock = 0; lock < LOCKS; lock++) {
			lane(RunSettings.NODES + 1 + lock, "lock " + lock, "all");
		}
		this.result.history().holds().forEach(this::hold);
		this.result.faults().forEach(this::fault);
		axis(height - 14);
		this.lines.add("</svg>");
	}

	private void legend() {
		int x = LEFT;
		for (Mark mark : Mark.values()) {
			rectangle(x, 30, 10, 10, mark.look(), "");
			text(x + 14, 39, mark.title);
			x += 24 + mark.title.length() * 6;
		}
	}

	private void axis(int y) {
		long seconds = (this.window.to() - this.window.from()) / 1_000_000_000L;
		long start = (this.window.from() - this.result.time().from()) / 1_000_000_000L;
		for (long second = 0; second <= seconds; second += 5) {
			double x = x(this.window.from() + second * 1_000_000_000L);
			this.lines.add(String.format(Locale.ROOT,
					"<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/>", x, TOP - 6, x, y - 12));
			text((int) x - 8, y, (start + second) + " s");
		}
	}

	private void lane(int lane, String name, String look) {
		int y = TOP + lane * LANE;
		this.lines.add(
				"<text x=\"8\" y=\"" + (y + 18) + "\" class=\"" + look + "\" font-weight=\"bold\">" + name + "</text>");
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

	private void text(int x, int y, String text) {
		this.lines.add("<text x=\"" + x + "\" y=\"" + y + "\">" + text + "</text>");
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
