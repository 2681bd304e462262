/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

/**
 * The diagrams of the pages about usage.
 */
final class UsageDiagrams {

	private UsageDiagrams() {
	}

	static Drawing adviceOrder() {
		Drawing drawing = new Drawing(860, 280, "The order of advice around a locked method",
				"A call passes method security, then the lock, then the transaction, then the method. On the way back, the"
						+ " transaction commits before the lock is released.");
		drawing.text("title", 16, 174, "caller")
			.box("box", 110, 20, 730, 240)
			.box("one", 310, 34, 516, 212)
			.box("two", 500, 48, 312, 184)
			.box("box", 670, 62, 128, 156)
			.centred("title", 210, 80, "method security")
			.centred("note", 210, 98, "@Async, Spring Framework's")
			.centred("note", 210, 114, "@Retryable and")
			.centred("note", 210, 130, "@ConcurrencyLimit")
			.centred("title", 405, 80, "lock")
			.centred("note", 405, 98, "@DistributedLock,")
			.centred("note", 405, 114, "@ScheduledLock")
			.centred("title", 585, 80, "transaction")
			.centred("note", 585, 98, "@Transactional,")
			.centred("note", 585, 114, "and caches")
			.centred("title", 734, 174, "the method")
			.arrow(62, 158, 668, 158)
			.arrow(670, 180, 64, 180);
		return drawing.centred("note", 210, 151, "authorizes the caller")
			.centred("note", 405, 151, "acquires")
			.centred("note", 585, 151, "begins")
			.centred("note", 585, 197, "commits")
			.centred("note", 405, 197, "releases")
			.centred("note", 210, 197, "result")
			.centred("note", 210, 224, "unauthorized: no lock")
			.centred("note", 405, 224, "order 1000")
			.centred("note", 585, 224, "lowest precedence");
	}

	static Drawing whichApi() {
		Drawing drawing = new Drawing(860, 428, "Which API to use",
				"Without Spring Boot, use LockClient. For a scheduled job, use @ScheduledLock. For Spring Integration or"
						+ " leader election, use LockRegistry. For a whole method, use @DistributedLock. For part of a method,"
						+ " use LockTemplate. For everything else, use LockClient.");
		drawing.box("box", 60, 20, 420, 48, "Does the application use Spring Boot?");
		question(drawing, 88, "Is it a @Scheduled job?", "one node runs each tick, and a crashed run is retried");
		question(drawing, 156, "Does Spring Integration need the lock?",
				"or leader election, or code that uses Java's Lock interface");
		question(drawing, 224, "Does the lock cover a whole method of a bean?", "its arguments can select the lock");
		question(drawing, 292, "Does the lock cover part of a method?", "or is its key known only inside the method?");
		drawing.box("box", 60, 360, 420, 48, "Everything else",
				"it outlives the call, or you need lists, tokens, forced release");
		answers(drawing);
		return drawing.text("note", 278, 82, "yes")
			.text("note", 36, 38, "no")
			.arrow(270, 68, 270, 86)
			.arrow("M60 44L30 44L30 384L58 384")
			.arrow(480, 384, 598, 384);
	}

	private static void question(Drawing drawing, int y, String question, String note) {
		drawing.box("box", 60, y, 420, 48, question, note)
			.arrow(480, y + 24, 598, y + 24)
			.centred("note", 536, y + 18, "yes")
			.arrow(270, y + 48, 270, y + 66)
			.text("note", 278, y + 62, "no");
	}

	private static void answers(Drawing drawing) {
		drawing.box("two", 600, 88, 240, 48, "@ScheduledLock", "beside @Scheduled")
			.box("two", 600, 156, 240, 48, "LockRegistry", "for Spring Integration")
			.box("two", 600, 224, 240, 48, "@DistributedLock", "on a method, class or interface")
			.box("two", 600, 292, 240, 48, "LockTemplate", "a lambda runs under the lock")
			.box("one", 600, 360, 240, 48, "LockClient", "with or without Spring");
	}

	static Drawing transactWrite() {
		Drawing drawing = new Drawing(860, 420, "A guarded write",
				"The application calls transactWrite. The lock client sends the items to DynamoDB in one transaction, with a"
						+ " condition on the lock's item: same owner, same fencing token, not released. If all conditions hold,"
						+ " the items are written. If the lock's condition fails, nothing is written and the application gets a"
						+ " LockLostException. After a conflict or a lost response, the client sends the transaction again.");
		drawing.line("dashed", 110, 56, 110, 402)
			.line("dashed", 400, 56, 400, 402)
			.line("dashed", 720, 56, 720, 402)
			.box("box", 30, 20, 160, 36, "application")
			.box("one", 310, 20, 180, 36, "lock client")
			.box("box", 620, 20, 200, 36, "DynamoDB")
			.arrow(110, 92, 398, 92)
			.centred("note", 255, 85, "transactWrite(items)")
			.text("note", 408, 96, "checks that this handle holds the lock")
			.arrow(400, 150, 718, 150)
			.centred("note", 560, 127, "TransactWriteItems: your items,")
			.centred("note", 560, 143, "the condition, a client request token")
			.box("box", 600, 160, 240, 64, "condition on the lock's item", "same owner, same fencing token,",
					"not released");
		return outcomes(drawing);
	}

	private static Drawing outcomes(Drawing drawing) {
		for (int y : new int[] { 238, 284, 330 }) {
			drawing.line("thin", 16, y, 844, y);
		}
		return drawing.text("title", 16, 266, "commit")
			.arrow(720, 270, 402, 270)
			.centred("note", 560, 263, "all conditions hold: items are written")
			.arrow(400, 270, 112, 270)
			.centred("note", 255, 263, "returns the response")
			.text("title", 16, 312, "refusal")
			.badArrow(720, 316, 402, 316)
			.centred("badtext", 560, 309, "lock's condition fails: nothing is written")
			.badArrow(400, 316, 112, 316)
			.centred("badtext", 255, 309, "LockLostException")
			.text("title", 16, 358, "retry")
			.arrow(720, 362, 402, 362)
			.centred("note", 560, 355, "conflict, throttling or no response")
			.arrow(400, 392, 718, 392)
			.centred("note", 560, 385, "sent again with the same request token")
			.centred("note", 255, 368, "while the lock is held,")
			.centred("note", 255, 384, "for up to one lease");
	}

}
