/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

/**
 * The diagrams of scheduled jobs.
 */
final class JobDiagrams {

	private JobDiagrams() {
	}

	static Drawing tick() {
		Drawing drawing = new Drawing(860, 306, "One tick on three nodes whose clocks differ",
				"Each node starts the tick of 02:00:00 when its own clock shows that time. The first claim is granted and"
						+ " writes the tick. The other nodes are refused the same tick, although the lock is free again.");
		Diagrams.lane(drawing, 32, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 102, "node-1", "0.8 s ahead");
		Diagrams.lane(drawing, 172, "node-2", "exact");
		Diagrams.lane(drawing, 242, "node-3", "0.5 s behind");
		drawing.box("box", 140, 16, 120, 32)
			.centred("note", 200, 37, "tick 01:59")
			.box("one", 260, 16, 70, 32, "held")
			.box("two", 330, 16, 510, 32, "tick 02:00 has run, on node-1, SUCCEEDED; the lock is free")
			.box("one", 260, 86, 70, 32, "runs")
			.arrow(260, 86, 260, 50)
			.text("note", 160, 71, "claims 02:00")
			.centred("note", 190, 107, "02:00:00 by its clock")
			.arrow(330, 86, 330, 50)
			.text("note", 338, 71, "releases")
			.badArrow(500, 156, 500, 50)
			.text("badtext", 508, 82, "refused:")
			.text("badtext", 508, 98, "02:00 has run")
			.badArrow(650, 226, 650, 50)
			.text("badtext", 658, 82, "refused:")
			.text("badtext", 658, 98, "02:00 has run");
		fires(drawing, 500, 172);
		fires(drawing, 650, 242);
		return Diagrams.time(drawing, 288);
	}

	private static void fires(Drawing drawing, int x, int y) {
		drawing.line("dashed", x, y - 16, x, y + 18).text("note", x + 8, y + 5, "02:00:00 by its clock");
	}

	static Drawing rerun() {
		Drawing drawing = new Drawing(860, 236, "A run whose node crashes is run again",
				"node-1 runs attempt 1 and is killed. node-2 was refused the tick and reads the lock shortly before its lease"
						+ " would expire. Its first read finds a later heartbeat. A whole lease after that read, without"
						+ " another heartbeat, node-2 starts attempt 2 of the same tick.");
		Diagrams.lane(drawing, 32, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 102, "node-1", "");
		Diagrams.lane(drawing, 172, "node-2", "");
		drawing.box("one", 150, 16, 547, 32, "tick 02:00, attempt 1")
			.box("two", 697, 16, 143, 32, "02:00, attempt 2")
			.box("one", 150, 86, 216, 32, "runs attempt 1")
			.text("badtext", 371, 107, "killed");
		for (int x : new int[] { 220, 290, 360 }) {
			drawing.arrow(x, 86, x, 50);
		}
		return Diagrams.time(watch(drawing), 216);
	}

	private static Drawing watch(Drawing drawing) {
		return drawing.centred("note", 255, 71, "heartbeat")
			.text("note", 366, 71, "last one")
			.badArrow(165, 156, 165, 50)
			.text("badtext", 172, 138, "refused, watches")
			.box("wait", 165, 156, 532, 32)
			.line("dashed", 417, 50, 417, 156)
			.text("note", 423, 122, "first read:")
			.text("note", 423, 138, "the lock was renewed")
			.line("dashed", 669, 50, 669, 156)
			.text("note", 576, 122, "second read:")
			.text("note", 576, 138, "no heartbeat")
			.arrow(419, 180, 695, 180)
			.centred("note", 557, 174, "one lease, by its own clock")
			.box("two", 697, 156, 120, 32, "runs attempt 2")
			.arrow(697, 156, 697, 50)
			.text("note", 704, 82, "claims attempt 2")
			.arrow(817, 156, 817, 50)
			.text("note", 764, 138, "releases");
	}

}
