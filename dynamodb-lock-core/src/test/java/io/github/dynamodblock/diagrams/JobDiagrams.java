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
		Drawing drawing = new Drawing(860, 256, "One tick on three nodes whose clocks differ",
				"Each node tries to start the tick of Tuesday, 02:00, when its own clock shows that time. node-1, whose"
						+ " clock is ahead, claims the tick, runs it and releases the lock. node-2 and node-3 come later and are"
						+ " refused, although the lock is free again, because the item shows that the tick has run.");
		Diagrams.lane(drawing, 32, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 112, "node-1", "0.8 s ahead");
		Diagrams.lane(drawing, 158, "node-2", "exact");
		Diagrams.lane(drawing, 204, "node-3", "0.5 s behind");
		drawing.box("box", 140, 16, 120, 32)
			.centred("note", 200, 37, "Monday has run")
			.box("one", 260, 16, 70, 32, "held")
			.box("two", 330, 16, 510, 32, "Tuesday, 02:00, has run on node-1: SUCCEEDED")
			.box("one", 260, 96, 70, 32, "runs")
			.arrow(260, 96, 260, 50)
			.before("note", 252, 77, "claims the tick")
			.before("note", 252, 117, "02:00 by its clock")
			.arrow(330, 96, 330, 50)
			.text("note", 338, 77, "releases")
			.dashedArrow(500, 142, 500, 50)
			.dashedArrow(670, 188, 670, 50)
			.box("box", 490, 142, 140, 32)
			.centred("note", 560, 163, "02:00 by its clock")
			.box("box", 660, 188, 140, 32)
			.centred("note", 730, 209, "02:00 by its clock");
		for (int x : new int[] { 508, 678 }) {
			drawing.text("note", x, 77, "refused:").text("note", x, 93, "Tuesday has run");
		}
		return Diagrams.time(drawing, 240);
	}

	static Drawing rerun() {
		Drawing drawing = new Drawing(860, 276, "A run whose node crashes is run again",
				"node-1 runs attempt 1 and is killed. node-2 was refused the tick and reads the lock shortly before its lease"
						+ " would expire. Its first read finds that the lock was renewed. Its second read finds no later"
						+ " heartbeat. A whole lease after the first read, node-2 starts attempt 2 of the same tick.");
		Diagrams.lane(drawing, 32, "node-1", "");
		Diagrams.lane(drawing, 116, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 208, "node-2", "");
		drawing.box("one", 150, 16, 216, 32, "runs attempt 1")
			.text("badtext", 374, 37, "killed")
			.box("one", 150, 100, 550, 32, "02:00, attempt 1")
			.box("two", 700, 100, 140, 32, "02:00, attempt 2")
			.arrow(150, 48, 150, 98)
			.text("note", 157, 78, "claims");
		for (int x : new int[] { 220, 290, 360 }) {
			drawing.arrow(x, 48, x, 98);
		}
		return Diagrams.time(watch(drawing), 258);
	}

	private static Drawing watch(Drawing drawing) {
		return drawing.text("note", 227, 78, "heartbeat")
			.text("note", 367, 78, "last heartbeat")
			.box("wait", 170, 184, 530, 48)
			.dashedArrow(190, 184, 190, 134)
			.text("note", 198, 156, "refused:")
			.text("note", 198, 172, "another node runs it")
			.dashedArrow(417, 184, 417, 134)
			.text("note", 425, 156, "first read:")
			.text("note", 425, 172, "renewed")
			.dashedArrow(600, 184, 600, 134)
			.text("note", 608, 156, "second read:")
			.text("note", 608, 172, "not renewed")
			.text("note", 190, 205, "watches; no thread waits")
			.arrow(417, 221, 698, 221)
			.centred("note", 557, 213, "one lease, by its own clock")
			.box("two", 700, 184, 126, 48, "runs attempt 2")
			.arrow(700, 184, 700, 134)
			.text("note", 708, 156, "claims it")
			.arrow(826, 184, 826, 134)
			.before("note", 820, 172, "releases");
	}

	static Drawing outcomes() {
		Drawing drawing = new Drawing(860, 430, "How a run ends",
				"A run ends in one of five outcomes. SUCCEEDED: the method returned. FAILED: it threw an exception."
						+ " TIMED_OUT: the run reached holdAtMost. If its node crashes, another node starts the next attempt;"
						+ " if no attempt is left or the next tick was due, the outcome is CRASHED. INTERRUPTED: the method"
						+ " failed during a shutdown; another node starts the same attempt again, unless attempts is 1 or the"
						+ " next tick was due. After each outcome, the job waits for its next tick.");
		drawing.box("card", 584, 12, 264, 310)
			.text("title", 600, 34, "ended: wait for the next tick")
			.box("one", 20, 238, 190, 64, "a run", "holds the lock", "until it ends")
			.box("two", 600, 46, 232, 48, "SUCCEEDED")
			.box("bad", 600, 106, 232, 48, "FAILED")
			.box("bad", 600, 166, 232, 48, "TIMED_OUT", "even if the method goes on")
			.box("bad", 600, 242, 232, 64, "CRASHED", "no attempt was left, or", "the next tick was due")
			.line("", 115, 238, 115, 70)
			.arrow(115, 70, 598, 70)
			.centred("note", 360, 63, "the method returned")
			.arrow(115, 130, 598, 130)
			.centred("note", 360, 123, "the method threw an exception")
			.arrow(115, 190, 598, 190)
			.centred("note", 360, 183, "holdAtMost was reached");
		return again(drawing);
	}

	private static Drawing again(Drawing drawing) {
		return drawing.box("wait", 350, 242, 170, 64, "no heartbeat", "for a whole lease:", "another node notices")
			.arrow(210, 258, 348, 258)
			.centred("note", 279, 251, "its node crashes")
			.arrow(350, 288, 212, 288)
			.centred("note", 281, 304, "next attempt")
			.arrow(520, 274, 598, 274)
			.box("wait", 20, 358, 230, 56, "INTERRUPTED", "the method failed in a shutdown")
			.arrow(60, 302, 60, 356)
			.text("note", 68, 334, "shutdown")
			.arrow(160, 358, 160, 304)
			.text("note", 168, 334, "another node: the same attempt")
			.arrow("M250 386L716 386L716 324")
			.centred("note", 480, 379, "attempts = 1, or the next tick was due");
	}

}
