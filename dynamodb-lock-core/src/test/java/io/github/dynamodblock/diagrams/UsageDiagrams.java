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
		Drawing drawing = new Drawing(860, 250, "The order of advice around a locked method",
				"A call passes the advice outside the lock, such as method security and @Async, then the lock, then the"
						+ " transaction, then the method. On the way back, the transaction commits before the lock is released.");
		drawing.text("title", 16, 156, "caller")
			.box("box", 90, 20, 750, 210)
			.box("one", 320, 34, 506, 182)
			.box("two", 510, 48, 302, 154)
			.box("box", 690, 122, 110, 60, "the method")
			.centred("title", 205, 50, "outside the lock")
			.centred("note", 205, 70, "method security, @Async,")
			.centred("note", 205, 86, "Spring Framework's")
			.centred("note", 205, 102, "@Retryable, @ConcurrencyLimit")
			.centred("title", 415, 64, "the lock")
			.centred("note", 415, 84, "@DistributedLock,")
			.centred("note", 415, 100, "@ScheduledLock")
			.centred("title", 600, 78, "inside the lock")
			.centred("note", 600, 98, "@Transactional, caches")
			.arrow(60, 140, 688, 140)
			.arrow(690, 164, 62, 164);
		return drawing.centred("note", 205, 133, "checks the caller")
			.centred("note", 415, 133, "acquires")
			.centred("note", 600, 133, "begins")
			.centred("note", 600, 182, "commits")
			.centred("note", 415, 182, "releases")
			.centred("note", 205, 182, "result")
			.centred("note", 205, 206, "not authorized: no lock")
			.centred("note", 415, 206, "order 1000");
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

	static Drawing whichDynamoDb() {
		Drawing drawing = new Drawing(860, 490, "Which DynamoDB the starter uses",
				"The starter asks in this order and takes the first that exists: the application's LockClient, the"
						+ " DynamoDbClient with @LockDynamoDbClient, the application's own DynamoDbClient, a client for a"
						+ " DynamoDbConnectionDetails bean, the client of Spring Cloud AWS, tables in memory if they are enabled,"
						+ " and otherwise a client that it creates.");
		question(drawing, 16, "Does the application define a LockClient?", "as a bean");
		question(drawing, 84, "Is there a bean with @LockDynamoDbClient?", "a DynamoDbClient for locks only");
		question(drawing, 152, "Does the application define a DynamoDbClient?",
				"of several, the @Primary one; without it, startup fails");
		question(drawing, 220, "Are there DynamoDbConnectionDetails?", "a container, a Compose service or a bean");
		question(drawing, 288, "Is Spring Cloud AWS 4 present?", "with its DynamoDB starter");
		question(drawing, 356, "Is dynamodb-lock.embedded.enabled true?", "needs dynamodb-lock-test");
		return drawing.box("box", 60, 424, 420, 48, "None of these")
			.arrow(480, 448, 598, 448)
			.box("one", 600, 16, 240, 48, "that LockClient", "its table is not checked")
			.box("two", 600, 84, 240, 48, "that DynamoDbClient")
			.box("two", 600, 152, 240, 48, "that DynamoDbClient")
			.box("two", 600, 220, 240, 48, "a client for them")
			.box("two", 600, 288, 240, 48, "its DynamoDbClient")
			.box("two", 600, 356, 240, 48, "tables in memory", "of this process only")
			.box("two", 600, 424, 240, 48, "a client of the starter", "region of properties or the SDK");
	}

	static Drawing twoReleases() {
		Drawing drawing = new Drawing(860, 322, "A migration in two releases",
				"Three instances over time. Before, each acquires the old lock. Release 1, which acquires both locks, is"
						+ " rolled out to one instance after the other. When all run it, release 2 follows, which acquires only"
						+ " the new lock. So all instances have the old lock in common until the second rollout, and the new"
						+ " lock from the end of the first rollout.");
		drawing.line("dashed", 340, 40, 340, 278)
			.line("dashed", 550, 40, 550, 278)
			.centred("title", 280, 30, "rollout of release 1")
			.centred("title", 610, 30, "rollout of release 2");
		for (int node = 0; node < 3; node++) {
			int y = 62 + 44 * node;
			int first = 220 + 60 * node;
			int second = 550 + 60 * node;
			Diagrams.lane(drawing, y, "instance " + (node + 1), "");
			drawing.box("box", 130, y - 16, first - 130, 32, "old lock")
				.box("one", first, y - 16, second - first, 32, "both locks")
				.box("two", second, y - 16, 840 - second, 32, "new lock");
		}
		Diagrams.lane(drawing, 218, "in common", "");
		return Diagrams.time(drawing.box("box", 130, 188, 420, 32, "every instance acquires the old lock")
			.box("two", 340, 232, 500, 32, "every instance acquires the new lock")
			.centred("note", 445, 282, "both: release 2 may start"), 304);
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
