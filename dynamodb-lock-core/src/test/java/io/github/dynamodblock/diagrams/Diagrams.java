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
		all.put("waiting.svg", WaitingDiagrams.waiting());
		all.put("handing-on.svg", WaitingDiagrams.handingOn());
		all.put("semaphore.svg", WaitingDiagrams.semaphore());
		all.put("job-tick.svg", JobDiagrams.tick());
		all.put("job-rerun.svg", JobDiagrams.rerun());
		all.put("job-outcomes.svg", JobDiagrams.outcomes());
		all.put("two-releases.svg", UsageDiagrams.twoReleases());
		all.put("which-dynamodb.svg", UsageDiagrams.whichDynamoDb());
		all.put("advice-order.svg", UsageDiagrams.adviceOrder());
		all.put("which-api.svg", UsageDiagrams.whichApi());
		all.put("transact-write.svg", UsageDiagrams.transactWrite());
		return all;
	}

	private static Drawing takeover() {
		Drawing drawing = new Drawing(860, 336, "A paused holder's lock is taken over, and its late write is refused",
				"node-1 holds the lock with fencing token 41 and is paused. One lease after its last heartbeat, node-2"
						+ " takes the lock over with token 73 and writes to the data. When node-1 resumes, a write that it had"
						+ " begun arrives with token 41 and is refused.");
		lane(drawing, 62, "lock item", "in DynamoDB");
		lane(drawing, 132, "node-1", "");
		lane(drawing, 202, "guarded data", "highest token");
		lane(drawing, 272, "node-2", "");
		drawing.arrow(600, 254, 600, 80)
			.text("note", 608, 101, "takes over")
			.box("one", 130, 46, 470, 32, "token 41")
			.box("two", 600, 46, 240, 32, "token 73")
			.box("one", 130, 116, 270, 32, "holds the lock, token 41")
			.box("wait", 400, 116, 318, 32)
			.centred("badtext", 559, 137, "paused")
			.box("bad", 718, 116, 122, 32, "resumes: lost");
		for (int x : new int[] { 180, 260, 340 }) {
			drawing.arrow(x, 116, x, 80);
		}
		drawing.centred("note", 220, 101, "heartbeat")
			.arrow(340, 37, 598, 37)
			.centred("note", 470, 30, "one lease without a heartbeat");
		return time(lateWrite(drawing), 318);
	}

	private static Drawing lateWrite(Drawing drawing) {
		return drawing.box("wait", 200, 256, 400, 32)
			.centred("note", 400, 277, "waits: polls the lock")
			.box("two", 600, 256, 240, 32, "holds the lock, token 73")
			.arrow(300, 150, 300, 186)
			.text("note", 308, 172, "write, 41")
			.arrow(660, 254, 660, 220)
			.text("note", 668, 243, "write, 73")
			.badArrow(792, 150, 792, 186)
			.before("badtext", 784, 172, "late write, 41: refused")
			.box("one", 300, 188, 360, 30, "41")
			.box("two", 660, 188, 180, 30, "73");
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
			.arrow(240, 140, 240, 164)
			.text("note", 248, 156, "reads version 7 for the first time")
			.box("wait", 240, 166, 440, 32)
			.centred("note", 460, 187, "the whole lease, by its own clock")
			.box("two", 680, 166, 160, 32, "may take over")
			.box("bad", 580, 46, 260, 32, "lost: isHeld() is false")
			.line("dashed", 580, 80, 580, 164)
			.line("dashed", 680, 80, 680, 164)
			.box("box", 190, 106, 650, 32)
			.text("note", 200, 127, "version 7, unchanged: no further heartbeat arrives")
			.centred("note", 630, 96, "no holder");
		return time(drawing, 226);
	}

	private static Drawing lifecycle() {
		Drawing drawing = new Drawing(860, 366, "The lifecycle of a lock",
				"A free lock is acquired and held. Heartbeats renew it. It is released, handed on to the next thread of the"
						+ " same client, kept until holdAtLeast is over, detached as a token, or lost. A lost handle never"
						+ " becomes valid again.");
		drawing.box("box", 20, 156, 140, 60, "free", "no item or", "released item")
			.box("one", 310, 156, 180, 60, "held", "isHeld() is true")
			.box("wait", 310, 16, 180, 58, "expiring", "heartbeats fail,", "onExpiring is called")
			.box("one", 20, 16, 196, 58, "held by the next thread", "with its own handle", "and fencing token")
			.box("box", 310, 290, 180, 60, "kept", "released, but stays held", "until holdAtLeast is over")
			.box("bad", 660, 156, 180, 60, "lost", "isHeld() is false,", "onLost is called once")
			.box("two", 660, 290, 180, 60, "detached", "a LockToken controls", "the lock")
			.arrow(160, 192, 308, 192)
			.centred("note", 235, 186, "acquire")
			.arrow(310, 206, 162, 206)
			.centred("note", 235, 222, "release")
			.arrow("M310 170L180 170L180 76")
			.text("note", 188, 126, "release while")
			.text("note", 188, 142, "that thread waits")
			.arrow(430, 156, 430, 76)
			.text("note", 438, 96, "little validity")
			.text("note", 438, 112, "is left")
			.arrow(350, 74, 350, 154)
			.before("note", 342, 96, "heartbeat")
			.before("note", 342, 112, "succeeds");
		return ends(drawing);
	}

	private static Drawing ends(Drawing drawing) {
		return drawing.arrow(400, 216, 400, 288)
			.text("note", 408, 248, "release before")
			.text("note", 408, 264, "holdAtLeast is over")
			.arrow("M310 320L90 320L90 218")
			.text("note", 110, 314, "holdAtLeast is over")
			.arrow(490, 172, 658, 172)
			.text("note", 500, 119, "validity ends in a pause,")
			.text("note", 500, 135, "holdAtMost is over, stolen,")
			.text("note", 500, 151, "item deleted, released by")
			.text("note", 500, 167, "force, client closed")
			.arrow("M490 45L750 45L750 154")
			.text("note", 586, 38, "validity ends")
			.arrow("M490 192L630 192L630 308L658 308")
			.text("note", 636, 254, "detach")
			.arrow("M660 336L590 336L590 206L492 206")
			.text("note", 596, 330, "adopt");
	}

	private static Drawing contention() {
		Drawing drawing = new Drawing(860, 338, "A contended key",
				"node-1 holds the lock: its thread 1 is the holder and hands the lock on to thread 2, and its client's"
						+ " own threads send heartbeats. On node-2 and node-3, only the first waiting thread polls the item."
						+ " Between clients, the first claim that DynamoDB applies after a release gets the lock.");
		drawing.box("card", 12, 134, 266, 188)
			.box("card", 297, 134, 266, 188)
			.box("card", 582, 134, 266, 188)
			.box("box", 300, 20, 260, 60, "lock item 'orders:42'", "the first claim after a release wins")
			.text("title", 24, 154, "node-1")
			.box("box", 24, 164, 242, 34)
			.centred("note", 145, 186, "the client's own threads")
			.arrow("M145 164L145 50L298 50")
			.centred("note", 222, 43, "heartbeats")
			.box("one", 24, 206, 160, 34, "thread 1 holds")
			.arrow("M184 223L200 223L200 265L186 265")
			.text("note", 206, 241, "hands on")
			.box("wait", 24, 248, 160, 34)
			.centred("note", 104, 270, "thread 2 waits")
			.box("wait", 24, 290, 160, 24)
			.centred("note", 104, 306, "thread 3 waits")
			.arrow(430, 206, 430, 82)
			.arrow("M715 206L715 50L562 50")
			.text("note", 438, 112, "polls")
			.centred("note", 638, 43, "polls");
		waiting(drawing, 309, "node-2");
		waiting(drawing, 594, "node-3");
		return drawing;
	}

	private static void waiting(Drawing drawing, int x, String node) {
		drawing.text("title", x, 154, node)
			.box("wait", x, 206, 242, 34, "thread 1 polls")
			.box("wait", x, 248, 242, 34)
			.centred("note", x + 121, 270, "thread 2 waits")
			.box("wait", x, 290, 242, 24)
			.centred("note", x + 121, 306, "thread 3 waits");
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
