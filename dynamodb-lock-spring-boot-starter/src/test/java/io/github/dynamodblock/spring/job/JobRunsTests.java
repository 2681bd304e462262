/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.Releases;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nodes with one job do, by real lock clients on one table in virtual time. Ticks
 * are minutes, and a lease is 3 s.
 */
@ExtendWith(CapturedLogExtension.class)
@SuppressWarnings({ "FutureReturnValueIgnored", "ImmutableEnumChecker" })
class JobRunsTests {

	private static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

	private final RuntimeException failure = new IllegalStateException("no paper");

	private final InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks");

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(this.dynamoDb, SimulatedProcess.SCHEMA));

	@Test
	void aTickThatADeadOwnerRefusesStartsWhenTheLeaseEnds() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode node = this.nodes.up();
		owner.callPlainly();
		this.nodes.pass(Duration.ofSeconds(59));
		owner.crash();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:1 #1");
	}

	@Test
	void aTickWaitsForAPlainCallAndStartsLate() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode node = this.nodes.up();
		HeldLock lock = this.nodes.call(owner);
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(30));
		assertThat(node.events()).isEmpty();
		Releases.begin(lock, ReleaseRequest.create());
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:1 #1");
	}

	@Test
	void aTickThatWaitsGivesWayToTheNextOne() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode node = this.nodes.up();
		HeldLock lock = this.nodes.call(owner);
		this.nodes.passTo(1);
		node.tick();
		this.nodes.passTo(2);
		node.tick();
		Releases.begin(lock, ReleaseRequest.create());
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("started 0:2 #1");
	}

	@Test
	void aRunThatEndedIsNotRunAgainWhenItsNodeIsKilledRightAfter() {
		HandDrivenNode killed = this.nodes.up();
		killed.annotate(LockRequest.of(HandDrivenNode.KEY).holdAtLeast(Duration.ofMinutes(10)));
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		killed.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		killed.end(null);
		this.nodes.pass(Duration.ofMillis(100));
		killed.crash();
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.SUCCEEDED);
		HandDrivenNode next = this.nodes.up();
		next.open();
		this.nodes.pass(LEASES);
		assertThat(watching.events()).isEmpty();
		assertThat(next.events()).isEmpty();
		this.nodes.passTo(2);
		next.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(next.events()).as("the next tick").containsExactly("started 0:2 #1");
	}

	@Test
	void theEndOfARunIsRecordedAlthoughItsLeaseHasExpired() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		node.cutOff(LEASES);
		this.nodes.pass(LEASES.plusSeconds(1));
		node.end(null);
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.SUCCEEDED);
		HandDrivenNode next = this.nodes.up();
		next.open();
		this.nodes.pass(LEASES);
		assertThat(next.events()).isEmpty();
	}

	@Test
	void oneOfTheNodesThatWatchACrashedRunRunsItAgain() {
		HandDrivenNode owner = this.nodes.up();
		List<HandDrivenNode> watching = List.of(this.nodes.up(), this.nodes.up(), this.nodes.up());
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.forEach(HandDrivenNode::tick);
		owner.crash();
		this.nodes.pass(LEASES);
		assertThat(events(watching)).containsExactly("crashed 0:1, rerun", "started 0:1 #2");
	}

	@ParameterizedTest
	@EnumSource
	void aNodeWhoseClockIsADayAheadRunsNothingAgain(Schedule schedule) {
		HandDrivenNode owner = this.nodes.schedule(schedule.schedule).up();
		HandDrivenNode ahead = this.nodes.clockError(Duration.ofDays(1)).up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		owner.crash();
		ahead.open();
		this.nodes.pass(LEASES.multipliedBy(2));
		assertThat(ahead.events()).isEmpty();
		assertThat(this.nodes.record().attempt()).isEqualTo(1);
		HandDrivenNode right = this.nodes.clockError(Duration.ZERO).up();
		right.open();
		this.nodes.pass(LEASES);
		assertThat(right.events()).containsExactly("crashed 0:1, rerun", "started 0:1 #2");
	}

	@ParameterizedTest
	@EnumSource
	void aTimeADayAheadInTheRecordDoesNotStopOtherNodes(Schedule schedule) {
		HandDrivenNode ahead = this.nodes.schedule(schedule.schedule).clockError(Duration.ofDays(1)).up();
		ahead.trustClock();
		HandDrivenNode right = this.nodes.clockError(Duration.ZERO).up();
		this.nodes.passTo(1);
		ahead.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		ahead.end(null);
		this.nodes.passTo(2);
		right.tick();
		this.nodes.pass(Duration.ofSeconds(20));
		assertThat(right.events()).containsExactly("started 0:2 #1");
		right.end(null);
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().finishedAt().orElseThrow()).isBefore(this.nodes.now());
	}

	@Test
	void theErrorOfAFutureIsItsCause() {
		HandDrivenNode node = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		node.end(new CompletionException(this.failure));
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().error()).hasValue("java.lang.IllegalStateException: no paper");
	}

	@Test
	void aFailedRunIsNotRunAgain() {
		HandDrivenNode node = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		node.end(this.failure);
		this.nodes.pass(LEASES);
		assertThat(watching.events()).isEmpty();
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.FAILED);
	}

	@Test
	void aFreeLockIsNotClaimedForAnAttemptThatAnotherNodeHasMadeMeanwhile() {
		HandDrivenNode first = this.nodes.up();
		HandDrivenNode second = this.nodes.up();
		HandDrivenNode late = this.nodes.up();
		List<JobCall> lateCalls = new ArrayList<>();
		this.nodes.passTo(1);
		first.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		late.runs().tick(late.job(), keepingCalls(late, lateCalls)).ifPresent(late::call);
		first.crash();
		this.nodes.pass(LEASES);
		assertThat(lateCalls).extracting(JobCall::run).extracting(JobRun::attempt).containsExactly(2);
		second.open();
		this.nodes.pass(LEASES);
		assertThat(second.events()).contains("started 0:1 #2");
		second.crash();
		HandDrivenNode other = this.nodes.up();
		other.annotate(LockRequest.of(HandDrivenNode.KEY).waitTime(Duration.ofSeconds(10)));
		CompletableFuture<HeldLock> lock = other.callPlainly();
		this.nodes.pass(LEASES);
		Releases.begin(lock.join(), ReleaseRequest.create());
		this.nodes.pass(Duration.ofSeconds(1));
		late.call(lateCalls.get(0));
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(late.events()).doesNotContain("started 0:1 #2");
	}

	private static JobExecutor keepingCalls(HandDrivenNode node, List<JobCall> calls) {
		return new JobExecutor() {

			@Override
			public Runnable later(Duration delay, Runnable task) {
				return node.later(delay, task);
			}

			@Override
			public void call(JobCall call) {
				calls.add(call);
			}

			@Override
			public void runNow(LockedJob job) {
				node.runNow(job);
			}

			@Override
			public void fire(Runnable ended) {
				node.fire(ended);
			}

		};
	}

	@Test
	void anUnusedClaimReturnsItsAttempt() {
		HandDrivenNode leaving = this.nodes.up();
		HandDrivenNode next = this.nodes.up();
		this.nodes.passTo(1);
		leaving.abandonTick();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().tick()).hasValue(SimulatedTime.BEGIN.plusSeconds(60));
		assertThat(this.nodes.record().attempt()).isZero();
		assertThat(this.nodes.record().method()).as("the method that alone may start it").isEmpty();
		next.open();
		this.nodes.pass(LEASES);
		assertThat(next.events()).containsExactly("started 0:1 #1");
	}

	@Test
	void aClaimThatTheNodeDoesNotUseIsNotRepeatedBeforeTheNextTick() {
		Waiting waiting = new Waiting();
		HandDrivenNode node = this.nodes.listener(waiting).up();
		this.nodes.passTo(1);
		node.claimWithoutBody();
		this.nodes.pass(Duration.ofSeconds(50));
		assertThat(node.events()).isEmpty();
		assertThat(this.nodes.record().attempt()).isZero();
		assertThat(waiting.reported).last().isEqualTo(Optional.empty());
		this.nodes.run(node, 2);
		assertThat(node.events()).containsExactly("missed [0:1]", "started 0:2 #1", "SUCCEEDED 0:2");
	}

	@Test
	void aRunThatTheShutdownInterruptsIsRunByAnotherNodeWithTheSameAttempt() {
		HandDrivenNode closing = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		closing.runs().close();
		closing.runs().interrupt();
		closing.end(this.failure);
		this.nodes.pass(LEASES);
		assertThat(closing.events()).endsWith("INTERRUPTED 0:1");
		assertThat(watching.events()).containsExactly("started 0:1 #1");
		assertThat(this.nodes.record().isRerun()).isTrue();
	}

	@Test
	void aRunThatTheShutdownInterruptsIsOverIfItMayNotRunAgain() {
		HandDrivenNode closing = this.nodes.attempts(1).up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		closing.runs().close();
		closing.runs().interrupt();
		closing.end(this.failure);
		this.nodes.pass(LEASES);
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.INTERRUPTED);
		assertThat(watching.events()).isEmpty();
	}

	@Test
	void aRunThatFailsByItselfWhileTheShutdownAwaitsItHasFailed() {
		HandDrivenNode closing = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.tick();
		closing.runs().close();
		closing.end(this.failure);
		this.nodes.pass(LEASES);
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.FAILED);
		assertThat(watching.events()).isEmpty();
	}

	@Test
	void aRunThatSpringCancelsAsItsContextBeginsToCloseWasInterrupted() {
		HandDrivenNode closing = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		closing.runs().close();
		closing.end(new CancellationException());
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().outcome()).as("an end, after which no attempt follows").isEmpty();
	}

	@Test
	void aRunThatSucceedsDuringTheShutdownHasSucceeded() {
		HandDrivenNode closing = this.nodes.up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		closing.runs().close();
		closing.end(null);
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.SUCCEEDED);
	}

	@Test
	void aCrashThatIsNotRunAgainIsRecordedOnce() {
		HandDrivenNode owner = this.nodes.attempts(1).up();
		List<HandDrivenNode> watching = List.of(this.nodes.up(), this.nodes.up(), this.nodes.up());
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		watching.forEach(HandDrivenNode::tick);
		owner.crash();
		this.nodes.pass(LEASES);
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.CRASHED);
		assertThat(events(watching)).containsExactly("crashed 0:1");
		this.nodes.run(watching.get(0), 2);
		assertThat(watching.get(0).events()).containsExactly("started 0:2 #1", "SUCCEEDED 0:2");
	}

	@Test
	void aNodeThatComesUpAfterTheNextTickRecordsTheCrash() {
		HandDrivenNode owner = this.nodes.up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		owner.crash();
		this.nodes.passTo(3);
		HandDrivenNode node = this.nodes.up();
		node.open();
		this.nodes.pass(LEASES);
		assertThat(node.events()).containsExactly("crashed 0:1");
		assertThat(node.job().record().orElseThrow().outcome()).hasValue(JobOutcome.CRASHED);
		this.nodes.run(node, 4);
		assertThat(node.events()).containsExactly("missed [0:2, 0:3]", "started 0:4 #1", "SUCCEEDED 0:4");
	}

	@Test
	void theLastAttemptIsRecordedAsACrash() {
		HandDrivenNode node = this.nodes.attempts(2).up();
		this.nodes.passTo(1);
		for (int attempt = 1; attempt <= 2; attempt++) {
			node.tick();
			this.nodes.pass(Duration.ofSeconds(1));
			node.crash();
			node = this.nodes.up();
			node.open();
			this.nodes.pass(LEASES);
		}
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.CRASHED);
		assertThat(this.nodes.record().attempt()).isEqualTo(2);
	}

	@Test
	void aTickThatDynamoDbDoesNotAnswerStartsLateAndIsReportedOnce(CapturedLog log) {
		HandDrivenNode node = this.nodes.up();
		this.nodes.passTo(1);
		node.cutOff(Duration.ofSeconds(40));
		node.tick();
		this.nodes.pass(Duration.ofSeconds(55));
		assertThat(node.events()).containsExactly("started 0:1 #1");
		assertThat(log.toString()).containsOnlyOnce("cannot start on this node")
			.containsOnlyOnce("can start on this node again");
	}

	@Test
	void theWatchesOfANodeEndWhenItsContextCloses() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode closing = this.nodes.up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		closing.tick();
		closing.runs().close();
		owner.crash();
		this.nodes.pass(LEASES);
		closing.tick();
		this.nodes.pass(LEASES);
		assertThat(closing.events()).isEmpty();
		closing.runs().reopen();
		closing.open();
		this.nodes.pass(LEASES);
		assertThat(closing.events()).as("after a restart").contains("started 0:1 #2");
	}

	@Test
	void aTickThatWaitedWhenItsContextWasStoppedIsNotLateAfterwards() {
		Waiting waiting = new Waiting();
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode node = this.nodes.listener(waiting).up();
		this.nodes.call(owner);
		this.nodes.passTo(1);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		assertThat(waiting.reported).last().isEqualTo(Optional.of(SimulatedTime.BEGIN.plus(Duration.ofMinutes(1))));
		node.runs().close();
		node.runs().reopen();
		node.open();
		assertThat(waiting.reported).last().isEqualTo(Optional.empty());
	}

	@Test
	void aPauseEndsNoWatchOfAnEarlierRunForGood() {
		HandDrivenNode owner = this.nodes.up();
		HandDrivenNode watching = this.nodes.up();
		this.nodes.passTo(1);
		owner.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		try (LockClient operator = LockClient.builder(this.dynamoDb).build()) {
			operator.change(HandDrivenNode.KEY, JobRecord.pause("stock-taking"));
			watching.tick();
			owner.crash();
			this.nodes.pass(LEASES);
			assertThat(watching.events()).isEmpty();
			operator.change(HandDrivenNode.KEY, JobRecord.resume());
		}
		this.nodes.passTo(2);
		watching.tick();
		this.nodes.pass(LEASES);
		assertThat(watching.events()).containsExactly("crashed 0:1", "started 0:2 #1");
	}

	private static List<String> events(List<HandDrivenNode> nodes) {
		return nodes.stream().flatMap((node) -> node.events().stream()).toList();
	}

	/** The ticks that wait, and those that no longer do. */
	private static final class Waiting implements JobListener {

		private final List<Optional<Instant>> reported = new ArrayList<>();

		@Override
		public void onEvent(JobEvent event) {
		}

		@Override
		public void onWaiting(LockedJob job, @Nullable Instant tick) {
			this.reported.add(Optional.ofNullable(tick));
		}

	}

	enum Schedule {

		CRON(JobSchedule.cron("0 * * * * *", ZoneOffset.UTC)),

		RATE(JobSchedule.fixedRate(Duration.ofMinutes(1))),

		DELAY(JobSchedule.fixedDelay(Duration.ofSeconds(30)));

		private final JobSchedule schedule;

		Schedule(JobSchedule schedule) {
			this.schedule = schedule;
		}

	}

}
