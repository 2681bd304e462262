/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that cannot work fail startup, all in one report.
 */
class InvalidJobTests {

	@Test
	void jobsThatCannotWorkFailStartup() {
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean(Jobs.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll(
						"Jobs.never(): its @Scheduled is invalid: the cron expression \"0 0 0 30 2 *\" never fires",
						"Jobs.noAttempt(), attribute 'attempts': it is 0, so the job would never run",
						"Jobs.sameLock(), attribute 'name': \"same\" is also the name of ", "Jobs.lock(); give each",
						"Jobs.noTicks(), attribute 'onMissed': RUN_ONCE needs @Scheduled with a cron expression",
						"Jobs.once(), attribute 'onMissed': RUN_ONCE needs @Scheduled with a cron expression",
						"Jobs.twice(): it has several @Scheduled annotations",
						"Jobs.wrong(): its @Scheduled is invalid: "));
	}

	@Test
	void twoMethodsWithOneJobNameFailStartup() {
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class),
					(definition) -> definition.setPrimary(true))
			.withBean("archive", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean(OneName.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("\"report\" is also the name of ", "\"region\" is also the name of "));
	}

	@Test
	void twoBeansWithOneJobFailStartup() {
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean("first", OneJob.class)
			.withBean("second", OneJob.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("OneJob.report(): the beans 'first' and 'second' have this job",
						"set a key that differs between the beans"));
	}

	@Test
	void twoBeansMayHaveAJobThatTheirKeysDistinguish() {
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean("north", Regional.class, "north")
			.withBean("south", Regional.class, "south")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Regional {

		private final String region;

		Regional(String region) {
			this.region = region;
		}

		public String region() {
			return this.region;
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "regional", key = "#root.target.region()")
		public void report() {
		}

	}

	static class OneJob {

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("report")
		public void report() {
		}

	}

	static class OneName {

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("report")
		public void report() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "report", lockClient = "archive")
		public void archivedReport() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "region", key = "'a'")
		public void oneRegion() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "region", key = "'b'")
		public void otherRegion() {
		}

	}

	static class Jobs {

		@Scheduled(cron = "0 0 0 30 2 *")
		@ScheduledLock("never")
		public void never() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("same")
		public void lock() {
		}

		@Scheduled(cron = "0 0 3 * * *")
		@ScheduledLock("same")
		public void sameLock() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "no-attempt", attempts = 0)
		public void noAttempt() {
		}

		@Scheduled(fixedRate = 1_000_000)
		@ScheduledLock(name = "no-ticks", onMissed = OnMissed.RUN_ONCE)
		public void noTicks() {
		}

		@Scheduled(initialDelay = 1_000_000)
		@ScheduledLock(name = "once", onMissed = OnMissed.RUN_ONCE)
		public void once() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@Scheduled(cron = "0 0 3 * * *")
		@ScheduledLock("twice")
		public void twice() {
		}

		@Scheduled(cron = "at noon")
		@ScheduledLock("wrong")
		public void wrong() {
		}

	}

}
