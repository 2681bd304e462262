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
		Drawing drawing = new Drawing(860, 336, "One tick on three nodes whose clocks differ",
				"Each node starts the tick of 02:00:00 when its own clock shows that time. The first claim is granted and"
						+ " writes the tick. The other nodes are refused the same tick, although the lock is free again.");
		Diagrams.lane(drawing, 62, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 132, "node-1", "0.8 s ahead");
		Diagrams.lane(drawing, 202, "node-2", "exact");
		Diagrams.lane(drawing, 272, "node-3", "0.5 s behind");
		drawing.box("box", 140, 46, 120, 32)
			.centred("note", 200, 67, "tick 01:59")
			.box("one", 260, 46, 70, 32, "held")
			.box("two", 330, 46, 510, 32, "tick 02:00 has run, on node-1, SUCCEEDED; the lock is free")
			.box("one", 260, 116, 70, 32, "runs")
			.arrow(260, 116, 260, 80)
			.text("note", 160, 101, "claims 02:00")
			.arrow(330, 116, 330, 80)
			.text("note", 338, 101, "releases")
			.badArrow(500, 186, 500, 80)
			.text("badtext", 508, 112, "refused:")
			.text("badtext", 508, 128, "02:00 has run")
			.badArrow(650, 256, 650, 80)
			.text("badtext", 658, 112, "refused:")
			.text("badtext", 658, 128, "02:00 has run");
		fires(drawing, 260, 132, 338);
		fires(drawing, 500, 202, 508);
		fires(drawing, 650, 272, 658);
		return Diagrams.time(drawing, 318);
	}

	private static void fires(Drawing drawing, int x, int y, int textX) {
		drawing.line("dashed", x, y - 18, x, y + 18).text("note", textX, y + 5, "02:00:00 by its clock");
	}

	static Drawing rerun() {
		Drawing drawing = new Drawing(860, 266, "A run whose node crashes is run again",
				"node-1 runs attempt 1 and is killed. node-2 was refused the tick and reads the lock shortly before its lease"
						+ " would expire. Its first read finds a later heartbeat. A whole lease after that read, without"
						+ " another heartbeat, node-2 starts attempt 2 of the same tick.");
		Diagrams.lane(drawing, 62, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 132, "node-1", "");
		Diagrams.lane(drawing, 202, "node-2", "");
		drawing.box("one", 150, 46, 547, 32, "tick 02:00, attempt 1")
			.box("two", 697, 46, 143, 32, "02:00, attempt 2")
			.box("one", 150, 116, 245, 32, "runs attempt 1")
			.text("badtext", 402, 127, "killed");
		for (int x : new int[] { 220, 290, 360 }) {
			drawing.arrow(x, 116, x, 80);
		}
		return Diagrams.time(watch(drawing), 246);
	}

	private static Drawing watch(Drawing drawing) {
		return drawing.centred("note", 255, 101, "heartbeat")
			.text("note", 366, 101, "last one")
			.badArrow(165, 186, 165, 80)
			.text("badtext", 172, 168, "refused, watches")
			.box("wait", 165, 186, 532, 32)
			.line("dashed", 417, 80, 417, 112)
			.line("dashed", 417, 134, 417, 186)
			.text("note", 423, 152, "first read:")
			.text("note", 423, 168, "the lock was renewed")
			.line("dashed", 669, 80, 669, 186)
			.text("note", 576, 152, "second read:")
			.text("note", 576, 168, "no heartbeat")
			.arrow(419, 210, 695, 210)
			.centred("note", 557, 204, "one lease, by its own clock")
			.box("two", 697, 186, 120, 32, "runs attempt 2")
			.arrow(697, 186, 697, 80)
			.text("note", 704, 112, "claims attempt 2")
			.arrow(817, 186, 817, 80)
			.text("note", 764, 168, "releases");
	}

}
