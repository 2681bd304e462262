/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

/**
 * The diagrams of clients and threads that wait for a lock.
 */
final class WaitingDiagrams {

	private static final int ORIGIN = 110;

	private static final int SECOND = 70;

	private static final int AXIS = 196;

	private WaitingDiagrams() {
	}

	static Drawing waiting() {
		Drawing drawing = new Drawing(860, 460, "Polling, leaving a name, and pausing",
				"Above, the interval between two polls over the time since the client first saw the holder: 45 ms for the first"
						+ " second, then growing to 400 ms at 8.9 s, for a lease of 20 s. After 0.5, 1, 2, 4 and 8 s, the"
						+ " waiting client writes its name instead of a poll. Below, node-2 leaves its name, a heartbeat of"
						+ " node-1 reads it, and after the release, node-1 pauses while node-2 acquires the lock.");
		drawing.text("title", 16, 28, "Interval between two polls, for a lease of 20 s")
			.line("", ORIGIN, 46, ORIGIN, AXIS)
			.line("", ORIGIN, AXIS, 838, AXIS);
		for (int millis : new int[] { 0, 200, 400 }) {
			drawing.line("thin", ORIGIN, y(millis), 838, y(millis))
				.before("note", ORIGIN - 8, y(millis) + 4, millis + " ms");
		}
		for (int second = 0; second <= 10; second += 2) {
			drawing.centred("note", x(second), AXIS + 18, second + " s");
		}
		drawing.curve("M%d %dL%d %dL%d %dL838 %d".formatted(x(0), y(45), x(1), y(45), x(8.9), y(400), y(400)));
		for (double mark : new double[] { 0.5, 1, 2, 4, 8 }) {
			drawing.dot(x(mark), y(Math.max(45, 45 * mark)));
		}
		drawing.text("note", x(0) + 8, y(45) - 14, "45 ms")
			.before("note", 836, y(400) - 8, "400 ms: a fiftieth of the lease")
			.dot(520, 24)
			.text("note", 532, 28, "the client leaves its name instead of a poll")
			.before("note", 838, AXIS + 36, "time since the client first saw this holder");
		return Diagrams.time(pause(drawing), 442);
	}

	private static int x(double second) {
		return (int) Math.round(ORIGIN + SECOND * second);
	}

	private static int y(double millis) {
		return (int) Math.round(AXIS - 0.34 * millis);
	}

	private static Drawing pause(Drawing drawing) {
		drawing.line("thin", 16, 248, 844, 248);
		Diagrams.lane(drawing, 280, "node-1", "");
		Diagrams.lane(drawing, 342, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 404, "node-2", "");
		return drawing.box("one", 130, 264, 350, 32, "holds the lock")
			.box("wait", 480, 264, 150, 32)
			.centred("note", 555, 285, "pauses, 60 ms")
			.box("wait", 630, 264, 210, 32)
			.centred("note", 735, 285, "tries again: waits")
			.box("one", 130, 326, 350, 32, "held by node-1")
			.box("box", 480, 326, 80, 32, "free")
			.box("two", 560, 326, 280, 32, "held by node-2")
			.box("wait", 170, 388, 390, 32)
			.centred("note", 365, 409, "waits: polls the lock")
			.box("two", 560, 388, 280, 32, "holds the lock")
			.arrow(220, 388, 220, 360)
			.text("note", 228, 378, "leaves its name")
			.arrow(330, 296, 330, 324)
			.before("note", 322, 315, "heartbeat reads the name")
			.arrow(480, 296, 480, 324)
			.before("note", 472, 315, "releases")
			.arrow(560, 388, 560, 360)
			.text("note", 568, 378, "claims");
	}

	static Drawing handingOn() {
		Drawing drawing = new Drawing(860, 386, "A lock is handed on to the next threads of the same client",
				"Thread 1 of node-1 claims the lock with fencing token 41. Its release sends nothing: thread 2 holds the"
						+ " lock with token 42, then thread 3 with token 43. The item shows token 41 all the time. No thread of"
						+ " node-1 waits any more, so thread 3's release is a write. node-2 claims the lock with token 73.");
		Diagrams.lane(drawing, 42, "lock item", "in DynamoDB");
		Diagrams.lane(drawing, 126, "node-1", "thread 1");
		Diagrams.lane(drawing, 190, "node-1", "thread 2");
		Diagrams.lane(drawing, 254, "node-1", "thread 3");
		Diagrams.lane(drawing, 318, "node-2", "thread 1");
		drawing.box("one", 150, 26, 480, 32, "owner node-1, token 41")
			.box("box", 630, 26, 70, 32, "free")
			.box("two", 700, 26, 140, 32, "token 73")
			.arrow(150, 110, 150, 60)
			.text("note", 158, 90, "claims: reserves tokens 41 to 72")
			.box("one", 150, 110, 160, 32, "holds, token 41")
			.box("wait", 180, 174, 130, 32)
			.centred("note", 245, 195, "waits")
			.box("one", 310, 174, 160, 32, "holds, token 42")
			.box("wait", 210, 238, 260, 32)
			.centred("note", 340, 259, "waits")
			.box("one", 470, 238, 160, 32, "holds, token 43")
			.box("wait", 500, 302, 200, 32)
			.centred("note", 600, 323, "waits: polls the lock")
			.box("two", 700, 302, 140, 32, "holds, token 73")
			.arrow("M310 126L330 126L330 172")
			.text("note", 338, 146, "release() sends nothing")
			.arrow("M470 190L490 190L490 236")
			.text("note", 498, 210, "sends nothing")
			.arrow(630, 238, 630, 60)
			.before("note", 622, 90, "no thread waits: release() is a write")
			.arrow(700, 302, 700, 60)
			.text("note", 708, 90, "claims: 41 + 32");
		return Diagrams.time(drawing, 364);
	}

	static Drawing semaphore() {
		Drawing drawing = new Drawing(860, 262, "A semaphore with three permits",
				"The semaphore report-server has three slots, each an item with its own owner and fencing token. Two"
						+ " threads of node-1 hold the slots 0 and 2, a thread of node-2 holds slot 1. Another thread of node-2"
						+ " waits: it polls the slots of node-1 in turn, and receives the slot that becomes free first.");
		drawing.text("title", 20, 30, "node-1")
			.text("title", 640, 30, "node-2")
			.centred("title", 430, 30, "lock items")
			.box("one", 20, 44, 200, 40, "thread 1")
			.box("one", 20, 174, 200, 40, "thread 2")
			.box("one", 320, 40, 220, 48, "report-server#0", "owner node-1, token 41")
			.box("two", 320, 105, 220, 48, "report-server#1", "owner node-2, token 907")
			.box("one", 320, 170, 220, 48, "report-server#2", "owner node-1, token 138")
			.box("two", 680, 109, 160, 40, "thread 1")
			.box("wait", 640, 174, 200, 64, "thread 2 waits", "polls #0 and #2 in turn,", "gets the first free slot")
			.arrow(220, 64, 318, 64)
			.centred("note", 269, 57, "holds")
			.arrow(220, 194, 318, 194)
			.centred("note", 269, 187, "holds")
			.arrow(680, 129, 542, 129)
			.centred("note", 602, 122, "holds")
			.dashedArrow("M662 174L662 64L542 64")
			.centred("note", 602, 57, "polls")
			.dashedArrow("M640 200L542 200");
		return drawing.centred("note", 591, 193, "polls")
			.text("note", 20, 246, "Each slot is a separate lock: it has its own lease, heartbeats and tokens.");
	}

}
