/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.model;

import java.util.stream.Stream;

/**
 * What is checked. Each configuration switches on a few of the things that may happen, so
 * that all of their interleavings can be looked at in seconds.
 */
final class Configurations {

	private static final String[] SAFETY = { "MutualExclusion", "Ownership", "TokensIncrease", "FormerOwnersAreKeptOut",
			"NoStaleWrite", "ReleasesFreeTheirOwn", "LostStaysLost", "UsedUpTokensTakeNothing", "TicksRunOnce",
			"NoUntoldGrant" };

	private Configurations() {
	}

	/** A few seconds, for every build. */
	static Configuration small() {
		return Configuration.of("A lock is acquired, released, left to expire and taken over")
			.versions(3)
			.withReleases()
			.checking(SAFETY);
	}

	/** The protocol as it is: nothing that is promised is broken. */
	static Stream<Configuration> safe() {
		return Stream.of(changingHands(), keeping(), guarding(), clientsAndRows())
			.flatMap((some) -> some)
			.map((configuration) -> configuration.checking(SAFETY));
	}

	/** How a lock changes hands. */
	private static Stream<Configuration> changingHands() {
		return Stream.of(
				Configuration.of("Claims may stay unanswered, be late and be cleaned up")
					.versions(3)
					.unanswered("acquiring", "settling")
					.withReleases(),
				Configuration.of("Claims may be applied twice")
					.versions(3)
					.unanswered("acquiring", "settling")
					.repeated("claim")
					.withReleases(),
				Configuration.of("Releases may be applied twice and stay unanswered")
					.versions(4)
					.unanswered("releasing")
					.repeated("release")
					.withReleases(),
				Configuration.of("Locks change hands by release and takeover").versions(5).withReleases(),
				Configuration.of("Claims carry a condition that they make false")
					.versions(3)
					.with("Ticks", "{1, 2}")
					.unanswered("acquiring")
					.withReleases(),
				Configuration.of("Claims with a condition may be applied twice")
					.versions(3)
					.with("Ticks", "{1}")
					.repeated("claim")
					.withReleases());
	}

	/** How a lease is kept. */
	private static Stream<Configuration> keeping() {
		return Stream.of(
				Configuration.of("Heartbeats may stay unanswered and come late")
					.versions(5)
					.withHeartbeats()
					.unanswered("held"),
				Configuration.of("Heartbeats may be applied twice while releases are under way")
					.versions(4)
					.withHeartbeats()
					.withReleases()
					.unanswered("held")
					.repeated("beat"),
				Configuration.of("A holder makes its lease shorter and longer")
					.versions(4)
					.lease(3)
					.with("NewLeases", "{1, 3}")
					.withHeartbeats()
					.unanswered("held"),
				Configuration.of("Clients ask for different leases")
					.versions(4)
					.with("LongLease", "3")
					.with("Patient", "{a}")
					.asymmetric()
					.withHeartbeats()
					.unanswered("held"),
				Configuration.of("Clocks run at different rates")
					.versions(3)
					.lease(4)
					.with("Margin", "2")
					.with("Fast", "{b}")
					.asymmetric()
					.withHeartbeats()
					.unanswered("held"),
				Configuration.of("Clients observe their own writes from when these were sent")
					.versions(4)
					.with("Memories", "{{a}, {b}}")
					.withHeartbeats()
					.unanswered("held"),
				Configuration.of("Two owners of one process observe their writes from when these were sent")
					.versions(4)
					.with("Memories", "{{a, b}}")
					.lease(3)
					.with("NewLeases", "{1, 3}")
					.withHeartbeats()
					.unanswered("held"));
	}

	/** What is committed under a lock. */
	private static Stream<Configuration> guarding() {
		return Stream.of(
				Configuration.of("Guarded writes come at any time")
					.versions(3)
					.withGuardedWrites()
					.withHeartbeats()
					.withReleases(),
				Configuration.of("Holders hand the lock on within their client")
					.versions(3)
					.with("Tokens", "3")
					.withGuardedWrites()
					.withHeartbeats()
					.withReleases());
	}

	/** What clients and rows may meet with besides. */
	private static Stream<Configuration> clientsAndRows() {
		return Stream.of(
				Configuration.of("Reads are stale")
					.versions(4)
					.with("StaleReads", "TRUE")
					.withHeartbeats()
					.withReleases(),
				Configuration.of("Tries read in the background and await silent owners")
					.versions(3)
					.with("StaleReads", "TRUE")
					.with("Looks", "TRUE")
					.with("Awaits", "TRUE")
					.withHeartbeats()
					.withReleases(),
				Configuration.of("Waiters mark the lock in place of a read")
					.versions(4)
					.withMarks()
					.withHeartbeats()
					.withReleases(),
				Configuration.of("Clients crash and start again")
					.versions(3)
					.with("Crashes", "TRUE")
					.withHeartbeats()
					.withReleases(),
				Configuration.of("Rows are deleted by releases and by time to live")
					.versions(4)
					.with("Deletions", "{TRUE, FALSE}")
					.with("Purges", "TRUE")
					.withReleases(),
				Configuration.of("Locks are detached, adopted and released by their tokens")
					.versions(4)
					.with("Handovers", "TRUE")
					.withReleases(),
				Configuration.of("Locks are detached after heartbeats")
					.versions(4)
					.with("Handovers", "TRUE")
					.withHeartbeats(),
				Configuration.of("The flag alone says that a lock is free if a release keeps the version")
					.without("a release changes the version")
					.versions(3)
					.with("Handovers", "TRUE")
					.withReleases(),
				Configuration.of("The version alone says that a lock is free if an adoption ignores the flag")
					.without("an adoption looks at the flag")
					.versions(3)
					.with("Handovers", "TRUE")
					.withReleases(),
				Configuration.of("Three clients contend").versions(3).with("Clients", "{a, b, c}"));
	}

	/** The protocol with one rule switched off: what is promised is broken. */
	static Stream<Configuration> broken() {
		return Stream
			.of(brokenTimes(), brokenOwnWrites(), brokenWrites(), brokenMarks(), brokenConditions(), brokenGuards())
			.flatMap((some) -> some);
	}

	/** Rules about time. */
	private static Stream<Configuration> brokenTimes() {
		return Stream.of(
				Configuration.of("Validity that counts from the answer lets two clients hold the lock")
					.without("validity from the send")
					.checking("MutualExclusion"),
				Configuration.of("Recovery that counts from the last heartbeat lets two clients hold the lock")
					.without("recovery from the send of what was found")
					.versions(5)
					.withHeartbeats()
					.unanswered("held")
					.checking("MutualExclusion"),
				Configuration.of("Recovery for each client lets two clients hold the lock")
					.without("recovery for each acquisition")
					.unanswered("acquiring")
					.checking("MutualExclusion"),
				Configuration.of("An observation that counts from before the read lets two clients hold the lock")
					.without("observed from the answer")
					.withHeartbeats()
					.checking("MutualExclusion"),
				Configuration.of("An observer that waits for its own lease lets two clients hold the lock")
					.without("the stored lease is waited for")
					.versions(3)
					.with("LongLease", "3")
					.with("Patient", "{a}")
					.asymmetric()
					.checking("MutualExclusion"),
				Configuration.of("A shorter lease with the old deadline lets two clients hold the lock")
					.without("a shorter lease shortens the deadline")
					.lease(3)
					.with("NewLeases", "{1}")
					.withHeartbeats()
					.unanswered("held")
					.checking("MutualExclusion"),
				Configuration.of("A validity that is too long for the clocks lets two clients hold the lock")
					.versions(3)
					.lease(4)
					.with("Margin", "1")
					.with("Fast", "{b}")
					.asymmetric()
					.checking("MutualExclusion"),
				Configuration.of("A late answer revives a lock that was reported lost")
					.without("a lost lock stays lost")
					.withHeartbeats()
					.checking("LostStaysLost"));
	}

	/** Rules about what a client remembers of its own writes. */
	private static Stream<Configuration> brokenOwnWrites() {
		return Stream.of(
				Configuration.of("An own heartbeat that counts from before its send lets two owners hold the lock")
					.without("an own write counts from its own send")
					.with("Memories", "{{a, b}}")
					.withHeartbeats()
					.checking("MutualExclusion"),
				Configuration.of("An own write that counts for other versions lets two clients hold the lock")
					.without("an own write is known by its version")
					.versions(5)
					.with("Memories", "{{a}, {b}}")
					.checking("MutualExclusion"));
	}

	/** Rules about writes. */
	private static Stream<Configuration> brokenWrites() {
		return Stream.of(
				Configuration.of("A takeover of any version lets two clients hold the lock")
					.without("takeover of one version")
					.withHeartbeats()
					.checking("MutualExclusion"),
				Configuration.of("A release by owner frees the owner's next lock")
					.without("release by version, not by owner")
					.withReleases()
					.checking("ReleasesFreeTheirOwn"),
				Configuration.of("A release by fencing token frees another's lock after a deletion")
					.without("release by version, not by fencing token")
					.with("Deletions", "{TRUE}")
					.with("RightClock", "FALSE")
					.repeated("release")
					.withReleases()
					.checking("ReleasesFreeTheirOwn"),
				Configuration.of("A release of a detached lock that asks for no version frees the adopter's lock")
					.without("a release by token asks for its version")
					.versions(3)
					.with("Handovers", "TRUE")
					.checking("ReleasesFreeTheirOwn"),
				Configuration.of("A token adopts a freed lock if neither version nor flag says that it is free")
					.without("a release changes the version", "an adoption looks at the flag")
					.versions(3)
					.with("Handovers", "TRUE")
					.withReleases()
					.checking("UsedUpTokensTakeNothing"),
				Configuration.of("Tokens that begin anew do not increase")
					.without("tokens go on counting")
					.withReleases()
					.checking("TokensIncrease"),
				Configuration.of("Without the cleanup a grant stays that no caller knows")
					.without("settlement")
					.unanswered("acquiring")
					.checking("NoUntoldGrant"),
				Configuration.of("A cleanup that ignores what its release is shown leaves a grant behind")
					.without("settlement follows a refusal")
					.versions(3)
					.unanswered("acquiring")
					.checking("NoUntoldGrant"));
	}

	/** Rules about marks of clients that wait. */
	private static Stream<Configuration> brokenMarks() {
		return Stream.of(
				Configuration.of("A mark that decides a claim lets two clients hold the lock")
					.without("a mark decides nothing")
					.withMarks()
					.checking("MutualExclusion"),
				Configuration.of("A mark that changes the version keeps its holder from releasing the lock")
					.without("a mark keeps the version")
					.withMarks()
					.withReleases()
					.checking("NoUntoldGrant"));
	}

	/** Rules about the condition of a request. */
	private static Stream<Configuration> brokenConditions() {
		return Stream.of(
				Configuration.of("A takeover without the condition runs a tick twice")
					.without("a takeover carries the condition")
					.with("Ticks", "{1}")
					.checking("TicksRunOnce"),
				Configuration.of("A repeated claim without the condition runs a tick twice")
					.without("a repeated claim carries the condition")
					.with("Ticks", "{1}")
					.unanswered("acquiring")
					.withReleases()
					.checking("TicksRunOnce"),
				Configuration.of("An own claim that must meet the condition again leaves a grant behind")
					.without("an own claim need not meet the condition again")
					.with("Ticks", "{1}")
					.unanswered("acquiring")
					.checking("NoUntoldGrant"));
	}

	/** Rules about what is committed under a lock. */
	private static Stream<Configuration> brokenGuards() {
		return Stream.of(
				Configuration.of("A guarded write that asks for the owner alone is committed under an older token")
					.without("a guarded write asks for the token")
					.versions(3)
					.withGuardedWrites()
					.withReleases()
					.checking("NoStaleWrite"),
				Configuration.of("A lock that is handed on despite guarded writes is written under an older token")
					.without("a lock with guarded writes is not handed on")
					.with("Tokens", "2")
					.withGuardedWrites()
					.checking("NoStaleWrite"),
				Configuration.of("A guarded write that counts only once it is applied lets an older token write")
					.without("a guarded write counts from when it is sent")
					.with("Tokens", "2")
					.withGuardedWrites()
					.checking("NoStaleWrite"),
				Configuration.of("Tokens of holders that no claim reserved do not increase")
					.without("a claim reserves tokens")
					.versions(3)
					.with("Tokens", "2")
					.withReleases()
					.checking("TokensIncrease"));
	}

	/** What no rule prevents. */
	static Stream<Configuration> limits() {
		return Stream.of(
				Configuration.of("A claim that is applied once more after a deletion repeats its token")
					.versions(5)
					.with("Deletions", "{TRUE}")
					.repeated("claim")
					.withReleases()
					.checking("FormerOwnersAreKeptOut"),
				Configuration.of("A claim that lands after another was refused stays until its lease ends")
					.without("what lands after a refusal may stay")
					.unanswered("acquiring")
					.withReleases()
					.checking("NoUntoldGrant"));
	}

	/**
	 * What happens in the configurations above, so that they are known to say something.
	 */
	static Stream<Configuration> reachable() {
		Configuration claims = Configuration.of("claims").unanswered("acquiring", "settling");
		Configuration beats = Configuration.of("heartbeats").withHeartbeats().unanswered("held");
		Configuration frees = Configuration.of("releases").withReleases();
		return Stream.of(reaches(claims, "takeover"), reaches(claims, "lost claim found"),
				reaches(claims, "claimed again"), reaches(claims, "settled"), reaches(claims, "landed late"),
				reaches(beats, "lost heartbeat found"), reaches(frees, "taken from a released row"),
				reaches(frees, "late release refused"), reaches(frees, "released after the end"),
				reaches(frees.with("Purges", "TRUE"), "taken after a deletion"),
				reaches(beats.lease(3).with("NewLeases", "{1}"), "lease made shorter"),
				reaches(frees.with("StaleReads", "TRUE"), "stale read"),
				reaches(beats.with("Looks", "TRUE"), "seen in the background"), reaches(beats.withMarks(), "mark seen"),
				reaches(beats.with("Memories", "{{a}, {b}}"), "own write seen a lease after its send"),
				reaches(frees.with("Handovers", "TRUE"), "adopted"),
				reaches(frees.with("Ticks", "{1}"), "condition not met"),
				reaches(frees.with("Tokens", "2"), "handed on"),
				reaches(frees.withGuardedWrites(), "written between expiry and takeover"));
	}

	private static Configuration reaches(Configuration configuration, String event) {
		return configuration.named("Reached with " + configuration.name() + ": " + event).watching(event);
	}

	/**
	 * Once faults have stopped: all who wait get the lock, whatever the faults left
	 * behind.
	 */
	static Configuration live() {
		return Configuration.of("Every waiter gets the lock once faults have stopped")
			.versions(12)
			.with("Calm", "TRUE")
			.withReleases()
			.inTheEnd("EveryWaiterIsServed");
	}

	/** Nobody takes over what a crashed process held. */
	static Configuration stuck() {
		return Configuration.of("Without takeover a crashed process stops all others")
			.versions(12)
			.with("Calm", "TRUE")
			.withReleases()
			.without("takeover")
			.inTheEnd("EveryWaiterIsServed");
	}

}
