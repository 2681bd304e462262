/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The diagrams of the documentation, by file name.
 */
final class Diagrams {

	private Diagrams() {
	}

	static Map<String, Drawing> all() {
		Map<String, Drawing> all = new LinkedHashMap<>();
		all.put("takeover.svg", takeover());
		all.put("validity.svg", validity());
		all.put("lifecycle.svg", lifecycle());
		all.put("contention.svg", contention());
		all.put("architecture.svg", architecture());
		all.put("job-tick.svg", JobDiagrams.tick());
		all.put("job-rerun.svg", JobDiagrams.rerun());
		all.put("advice-order.svg", UsageDiagrams.adviceOrder());
		all.put("which-api.svg", UsageDiagrams.whichApi());
		all.put("transact-write.svg", UsageDiagrams.transactWrite());
		return all;
	}

	private static Drawing takeover() {
		Drawing drawing = new Drawing(860, 336, "A crashed holder's lock is taken over, and its late write is refused",
				"node-1 holds the lock with fencing token 41 and is killed. One lease after its last heartbeat, node-2"
						+ " takes the lock over with token 73. A delayed write with token 41 is refused by the data.");
		lane(drawing, 62, "lock item", "in DynamoDB");
		lane(drawing, 132, "node-1", "");
		lane(drawing, 202, "guarded data", "highest token");
		lane(drawing, 272, "node-2", "");
		drawing.box("one", 130, 46, 470, 32)
			.box("two", 600, 46, 240, 32)
			.centred("title", 220, 67, "token 41")
			.centred("title", 720, 67, "token 73")
			.box("one", 130, 116, 270, 32, "holds the lock, token 41")
			.text("badtext", 408, 137, "killed");
		for (int x : new int[] { 180, 260, 340 }) {
			drawing.arrow(x, 116, x, 80);
		}
		drawing.centred("note", 220, 101, "heartbeat")
			.arrow(350, 37, 598, 37)
			.centred("note", 474, 30, "one lease without a heartbeat")
			.box("wait", 200, 256, 400, 32)
			.centred("note", 400, 277, "waits: polls the lock")
			.box("two", 600, 256, 240, 32, "holds the lock, token 73")
			.line("dashed", 600, 254, 600, 150)
			.arrow(600, 150, 600, 80)
			.text("note", 608, 112, "takes over")
			.arrow(300, 150, 300, 186)
			.text("note", 308, 172, "write, 41")
			.arrow(660, 254, 660, 220)
			.text("note", 668, 243, "write, 73")
			.badArrow(396, 150, 748, 187)
			.text("badtext", 612, 158, "late write, token 41: refused")
			.box("one", 300, 188, 360, 30, "41")
			.box("two", 660, 188, 180, 30, "73");
		return time(drawing, 318);
	}

	static void lane(Drawing drawing, int y, String name, String note) {
		drawing.text("title", 16, note.isEmpty() ? y + 5 : y - 2, name).text("note", 16, y + 15, note);
	}

	static Drawing time(Drawing drawing, int y) {
		return drawing.arrow(130, y, 840, y).text("note", 16, y + 4, "time");
	}

	private static Drawing validity() {
		Drawing drawing = new Drawing(860, 250, "The holder's validity ends before the lease that others wait for",
				"The holder counts its validity from before its heartbeat was sent, and a little less than the lease."
						+ " Another client counts the whole lease from when it first read that heartbeat.");
		drawing.text("title", 16, 67, "holder")
			.text("title", 16, 127, "lock item")
			.text("title", 16, 187, "other client")
			.box("one", 150, 46, 430, 32, "isHeld() is true")
			.centred("note", 365, 38, "validity: about 98 % of the lease, from before the heartbeat was sent")
			.arrow(150, 80, 190, 104)
			.text("note", 200, 96, "heartbeat, new version")
			.box("box", 190, 106, 650, 32)
			.text("note", 200, 127, "version 7, unchanged: no further heartbeat arrives")
			.arrow(240, 140, 240, 164)
			.text("note", 248, 156, "reads version 7 for the first time")
			.box("wait", 240, 166, 440, 32)
			.centred("note", 460, 187, "the whole lease, by its own clock")
			.box("two", 680, 166, 160, 32, "may take over")
			.box("bad", 580, 46, 260, 32, "lost: isHeld() is false")
			.line("dashed", 580, 80, 580, 164)
			.line("dashed", 680, 80, 680, 164)
			.centred("note", 630, 96, "no holder");
		return time(drawing, 226);
	}

	private static Drawing lifecycle() {
		Drawing drawing = new Drawing(860, 360, "The lifecycle of a lock",
				"A free lock is acquired and held. Heartbeats renew it. It is released, kept until holdAtLeast is over,"
						+ " detached as a token, or lost. A lost handle never becomes valid again.");
		drawing.box("box", 20, 150, 120, 60, "free", "no item or", "released item")
			.box("one", 270, 150, 180, 60, "held", "isHeld() is true")
			.box("wait", 270, 16, 180, 58, "expiring", "heartbeats fail,", "onExpiring is called")
			.box("box", 270, 280, 180, 60, "kept", "released, but not before", "holdAtLeast is over")
			.box("bad", 640, 150, 200, 60, "lost", "isHeld() is false,", "onLost is called once")
			.box("two", 640, 280, 200, 60, "detached", "a LockToken controls", "the lock")
			.arrow(140, 165, 268, 165)
			.centred("note", 205, 158, "acquire")
			.arrow(270, 195, 142, 195)
			.centred("note", 205, 212, "release")
			.arrow(350, 150, 350, 76)
			.text("note", 358, 110, "little validity")
			.text("note", 358, 126, "is left")
			.arrow(310, 74, 310, 148)
			.text("note", 180, 118, "heartbeat succeeds");
		return ends(drawing);
	}

	private static Drawing ends(Drawing drawing) {
		return drawing.arrow(360, 210, 360, 278)
			.text("note", 368, 240, "release before")
			.text("note", 368, 256, "holdAtLeast is over")
			.arrow("M270 310L80 310L80 212")
			.text("note", 100, 304, "holdAtLeast is over")
			.arrow(450, 168, 638, 168)
			.text("note", 470, 113, "validity ends in a pause,")
			.text("note", 470, 129, "holdAtMost is over,")
			.text("note", 470, 145, "stolen, item deleted,")
			.text("note", 470, 161, "released by force, closed")
			.arrow("M450 45L740 45L740 148")
			.text("note", 556, 38, "validity ends")
			.arrow("M450 188L600 188L600 298L638 298")
			.text("note", 606, 250, "detach")
			.arrow("M638 326L560 326L560 202L452 202")
			.text("note", 522, 322, "adopt");
	}

	private static Drawing contention() {
		Drawing drawing = new Drawing(860, 306, "A contended key",
				"Each client serves its waiting threads first in, first out; only the first of them polls. Between"
						+ " clients, the first claim that DynamoDB applies after the release gets the lock.");
		for (int node = 0; node < 3; node++) {
			node(drawing, 20 + 285 * node, node);
		}
		return drawing.box("box", 300, 20, 260, 60, "lock item 'orders:42'", "the first claim after a release wins")
			.arrow(145, 168, 320, 82)
			.arrow(430, 168, 430, 82)
			.arrow(715, 168, 540, 82)
			.text("note", 152, 124, "heartbeats")
			.text("note", 440, 124, "polls")
			.text("note", 650, 124, "polls");
	}

	private static void node(Drawing drawing, int x, int node) {
		boolean holder = (node == 0);
		drawing.text("title", x, 160, "node-" + (node + 1))
			.box(holder ? "one" : "wait", x, 170, 250, 34, holder ? "thread 1 holds the lock" : "thread 1 polls")
			.box("wait", x, 212, 250, 34)
			.centred("note", x + 125, 234, "thread 2 waits in the queue")
			.box("wait", x, 254, 250, 34)
			.centred("note", x + 125, 276, "thread 3 waits in the queue");
	}

	private static Drawing architecture() {
		Drawing drawing = new Drawing(860, 546, "Architecture",
				"The application calls the Spring Boot starter, or the core directly. The starter calls the lock client. In"
						+ " the core, runtime carries out the decisions of the pure protocol, and store turns them into"
						+ " conditional calls to DynamoDB. The package table creates the lock table.");
		drawing.text("title", 20, 30, "application")
			.box("box", 20, 40, 820, 34, "annotated methods, jobs, Spring Integration flows, your own code")
			.box("card", 20, 98, 730, 90)
			.text("title", 32, 118, "dynamodb-lock-spring-boot-starter")
			.box("two", 32, 128, 166, 50, "@DistributedLock", "@ScheduledLock")
			.box("two", 212, 128, 166, 50, "LockTemplate", "events")
			.box("two", 392, 128, 166, 50, "LockRegistry", "for Spring Integration")
			.box("two", 572, 128, 166, 50, "meters, health", "endpoints")
			.arrow(385, 74, 385, 96)
			.arrow(385, 188, 385, 210)
			.arrow(766, 74, 766, 210)
			.text("note", 774, 147, "directly");
		core(drawing);
		return drawing.box("box", 20, 474, 820, 34, "DynamoDB: the lock table")
			.arrow(158, 436, 158, 472)
			.arrow(760, 356, 760, 472)
			.text("note", 20, 530, "An arrow points from the part that imports or calls to the part that is used.");
	}

	private static void core(Drawing drawing) {
		drawing.box("card", 20, 212, 820, 236)
			.text("title", 32, 232, "dynamodb-lock-core")
			.box("one", 32, 242, 796, 36, "LockClient, LockRequest, HeldLock: the types that users see")
			.box("one", 32, 296, 252, 60, "runtime", "queues, leases, heartbeats,", "listeners; threads and timers")
			.box("one", 304, 296, 252, 60, "protocol", "pure decisions: no I/O,", "no threads, no clocks")
			.box("one", 576, 296, 252, 60, "store", "conditional writes", "and the meaning of answers")
			.box("one", 32, 386, 252, 50, "table", "creates and checks the lock table")
			.arrow(158, 278, 158, 294)
			.arrow(284, 326, 302, 326)
			.arrow(576, 326, 558, 326)
			.arrow("M220 356L220 372L640 372L640 358")
			.arrow("M284 410L690 410L690 358");
	}

}
