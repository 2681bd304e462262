/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.BRIEF;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.CAUGHT_UP;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.CRASHED;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.LEFT;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.MISSED;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.PAUSABLE;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.PAUSED;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.PAUSED_TICK;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.PLAIN;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.REPEATED;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.RESUMES;
import static io.github.dynamodblock.verification.demos.scheduledjobs.JobNode.RUNS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The guarantees of docs/jobs.md, by what real processes report. The processes run once,
 * with all jobs at the same time: three nodes whose clocks differ, of which those that
 * run a long job are killed, and, when none is left, another node whose clock is ahead by
 * two ticks.
 */
@Order(1)
class JobGuaranteesTests {

	private static final Duration LEASE = Duration.ofSeconds(6);

	private static final Map<String, Duration> NODES = Map.of("behind", Duration.ofMillis(-500), "exact", Duration.ZERO,
			"ahead", Duration.ofMillis(800));

	private static final String LATER = "later";

	private static final String TABLE = "locks";

	private static final long SECOND = 1_000;

	/** Between two ticks of the jobs that take long. */
	private static final long INTERVAL = 30 * SECOND;

	/** A timer of Spring may fire early by the rounding of clocks. */
	private static final long ROUNDING = 100;

	private static final int TICKS = 10;

	private static final int REFUSALS = 3;

	private static final Duration SOON = Duration.ofMinutes(2);

	private static final Console CONSOLE = new Console(System.out);

	private static final List<Event> EVENTS = new ArrayList<>();

	/**
	 * The first tick that all nodes were up for, and the last one that ended before the
	 * kill.
	 */
	private static long firstTick;

	private static long lastTick = Long.MAX_VALUE;

	/** The last tick of the job to catch up before all nodes were stopped. */
	private static long lastBeforeTheStop;

	@BeforeAll
	static void run(@TempDir Path logs) throws Exception {
		try (Demo demo = new Demo(logs, CONSOLE)) {
			demo.startDynamoDb();
			demo.listen(EVENTS::add);
			// All nodes are up by then, unless the machine is busy.
			String cron = Instant.now().plusSeconds(20).getEpochSecond() % 30 + "/30 * * * * *";
			for (Map.Entry<String, Duration> node : NODES.entrySet()) {
				start(demo, node.getKey(), cron, "--clock.ahead=" + node.getValue().toMillis());
			}
			demo.awaitNodes();
			pauseAndResume(demo);
			awaitTicks(demo);
			killOwners(demo);
			stop(demo);
			// Between two ticks, so that no further one comes for most of an interval.
			Instant begin = Instant.ofEpochMilli(lastBeforeTheStop + 2 * INTERVAL + 2 * SECOND);
			start(demo, LATER, cron, "--clock.start=" + begin);
			demo.await(SOON, LATER + " does not run the job to catch up",
					() -> ran(CAUGHT_UP).anyMatch(JobGuaranteesTests::isLater));
			demo.stopNodes();
		}
	}

	private static void start(Demo demo, String node, String cron, String clock) throws Exception {
		demo.startNode(node, "96m", List.of(JobNode.class), clock, "--cron=" + cron,
				"--spring.task.scheduling.pool.size=8", "--spring.lifecycle.timeout-per-shutdown-phase=2s",
				"--dynamodb-lock.table.name=" + TABLE, "--dynamodb-lock.table.create=if-missing",
				"--dynamodb-lock.lease-duration=" + LEASE.toMillis() + "ms", "--dynamodb-lock.heartbeat-period=500ms");
	}

	private static void pauseAndResume(Demo demo) throws Exception {
		// Missed ticks are counted from the first one that has finished.
		demo.await(SOON, "the short job does not run", () -> ran(BRIEF).findAny().isPresent());
		firstTick = nextTick();
		demo.await(SOON, "the job to pause does not run", () -> ran(PAUSABLE).findAny().isPresent());
		demo.node("exact").send(JobNode.PAUSE);
		demo.await(SOON, "some node was not refused " + REFUSALS + " ticks of the paused job",
				() -> NODES.keySet().stream().allMatch((node) -> refusalsWhilePaused(node) >= REFUSALS));
		demo.node("ahead").send(JobNode.RESUME);
		demo.await(SOON, "the resumed job does not run",
				() -> ran(PAUSABLE).anyMatch((run) -> run.time().isAfter(resumedAt())));
	}

	/** The first tick after this time by each of the clocks. */
	private static long nextTick() {
		long latest = Instant.now().plusMillis(800).toEpochMilli();
		return (latest / SECOND + 1) * SECOND;
	}

	private static void awaitTicks(Demo demo) throws Exception {
		demo.await(SOON, "there are no " + TICKS + " ticks", () -> ticks(BRIEF).distinct().count() > TICKS);
		// The kill may interrupt the last run, which is then repeated.
		lastTick = ticks(BRIEF).max().orElseThrow() - SECOND;
		demo.await(SOON, "the jobs of each interval do not run",
				() -> ran(REPEATED).findAny().isPresent() && ran(CAUGHT_UP).findAny().isPresent());
	}

	/** Kills the nodes that run the jobs to repeat and to leave. */
	private static void killOwners(Demo demo) throws Exception {
		String node = killed().node();
		String other = ran(LEFT).findFirst().orElseThrow().node();
		awaitTimeBeforeNextTick(demo, 18 * SECOND);
		demo.kill(node);
		if (!other.equals(node)) {
			demo.kill(other);
		}
		demo.await(SOON, "the killed run is not repeated",
				() -> ran(REPEATED).anyMatch((run) -> !run.node().equals(node)));
		demo.await(SOON, "the crash of the run that is left is not recorded",
				() -> all(CRASHED, LEFT).findAny().isPresent());
	}

	/** A later tick of the same job takes the place of a run that is to be repeated. */
	private static void awaitTimeBeforeNextTick(Demo demo, long time) throws InterruptedException, DemoFailedException {
		demo.await(SOON, "the interval does not begin", () -> {
			long since = Math.floorMod(System.currentTimeMillis() - killed().number(0), INTERVAL);
			return since > 2 * SECOND && since < INTERVAL - time;
		});
	}

	private static void stop(Demo demo) throws InterruptedException, DemoFailedException {
		awaitTimeBeforeNextTick(demo, 5 * SECOND);
		demo.stopNodes();
		lastBeforeTheStop = ran(CAUGHT_UP).mapToLong((run) -> run.number(0)).max().orElseThrow();
	}

	@Test
	void eachTickOfAShortJobRunsOnceAlthoughClocksDiffer() {
		List<Event> runs = counted(BRIEF);
		List<Long> ran = runs.stream().map((run) -> run.number(0)).toList();
		assertThat(ran).as("started ticks").doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(TICKS);
		// A node whose processor was busy for more than a second may miss a tick, but not
		// silently.
		assertThat(Stream.concat(ran.stream(), missed(BRIEF)))
			.as("ticks that ran or are reported as missed, of all seconds from the first to the last one")
			.containsExactlyInAnyOrderElementsOf(
					LongStream.iterate(firstTick, (tick) -> tick <= lastTick, (tick) -> tick + SECOND)
						.boxed()
						.toList());
		assertThat(runs).as("first attempts that do not start before their tick by the clock of their node")
			.allMatch((run) -> run.number(1) == 1 && run.number(2) >= run.number(0) - ROUNDING);
	}

	@Test
	void withoutTicksTheSameJobRunsMoreThanOnce() {
		assertThat(counted(PLAIN)).hasSizeGreaterThan((int) ticks(PLAIN).distinct().count());
	}

	@Test
	void aRunWhoseNodeIsKilledIsRunAgainByAnotherNode() {
		long tick = killed().number(0);
		List<Event> runs = ran(REPEATED).filter((run) -> run.number(0) == tick).toList();
		assertThat(runs).extracting((run) -> run.number(1)).containsExactly(1L, 2L);
		assertThat(runs.get(1).node()).isNotEqualTo(killed().node());
		assertThat(all(CRASHED, REPEATED)).first().satisfies((crash) -> {
			assertThat(crash.node()).isEqualTo(runs.get(1).node());
			assertThat(crash.numbers()).as("tick, run again").containsExactly(tick, 1L);
		});
	}

	@Test
	void missedTicksAreCaughtUpByOneRunWhenANodeComesUp() {
		long missed = lastBeforeTheStop + INTERVAL;
		long caughtUp = lastBeforeTheStop + 2 * INTERVAL;
		assertThat(ran(CAUGHT_UP).filter(JobGuaranteesTests::isLater)).extracting((run) -> run.number(0))
			.startsWith(caughtUp)
			.doesNotContain(missed)
			.doesNotHaveDuplicates();
		assertThat(all(MISSED, CAUGHT_UP).filter(JobGuaranteesTests::isLater)).first()
			.satisfies(
					(report) -> assertThat(report.numbers()).as("run once, missed tick").containsExactly(1L, missed));
	}

	@Test
	void aPausedJobRunsOnNoNode() {
		assertThat(ran(PAUSABLE).filter(JobGuaranteesTests::isClaimedWhilePaused)).isEmpty();
		assertThat(NODES.keySet())
			.allSatisfy((node) -> assertThat(refusalsWhilePaused(node)).as(node).isGreaterThanOrEqualTo(REFUSALS));
		assertThat(ran(PAUSABLE).filter((run) -> run.time().isAfter(resumedAt()))).as("after the resumption")
			.isNotEmpty();
	}

	@Test
	void aCrashedRunWithOneAttemptIsReportedOnceAndNotRunAgainThoughEveryProcessWasReplaced() {
		assertThat(ran(LEFT)).singleElement().satisfies((run) -> {
			assertThat(run.number(1)).as("attempt").isEqualTo(1);
			assertThat(all(CRASHED, LEFT)).singleElement().satisfies((crash) -> {
				assertThat(crash.node()).isNotEqualTo(run.node());
				assertThat(crash.numbers()).as("tick, run again").containsExactly(run.number(0), 0L);
			});
		});
	}

	/** The run whose node was killed. */
	private static Event killed() {
		return ran(REPEATED).findFirst().orElseThrow();
	}

	private static Stream<Event> ran(String job) {
		return all(RUNS, job);
	}

	private static Stream<Event> all(String what, String job) {
		return EVENTS.stream().filter((event) -> event.is(what) && event.subject().equals(job));
	}

	private static List<Event> counted(String job) {
		return ran(job).filter((run) -> isCounted(run.number(0))).toList();
	}

	private static boolean isCounted(long tick) {
		return tick >= firstTick && tick <= lastTick;
	}

	private static LongStream ticks(String job) {
		return counted(job).stream().mapToLong((run) -> run.number(0));
	}

	private static Stream<Long> missed(String job) {
		return all(MISSED, job).flatMap((report) -> report.numbers().stream().skip(1))
			.filter(JobGuaranteesTests::isCounted)
			.distinct();
	}

	private static boolean isLater(Event event) {
		return event.node().equals(LATER);
	}

	private static long refusalsWhilePaused(String node) {
		return all(PAUSED_TICK, PAUSABLE).filter((refusal) -> refusal.node().equals(node)).count();
	}

	/** The body of a run that was claimed before the pause may begin after it. */
	private static boolean isClaimedWhilePaused(Event run) {
		Instant paused = all(PAUSED, PAUSABLE).findFirst().orElseThrow().time();
		Instant claimed = Instant.ofEpochMilli(run.number(3));
		return claimed.isAfter(paused) && claimed.isBefore(resumedAt());
	}

	private static Instant resumedAt() {
		return all(RESUMES, PAUSABLE).map(Event::time).findFirst().orElse(Instant.MAX);
	}

}
