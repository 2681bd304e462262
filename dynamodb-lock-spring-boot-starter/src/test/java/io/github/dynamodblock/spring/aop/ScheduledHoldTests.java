/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A cron job that has no ticks and does not hold its lock for longer than the nodes'
 * clocks differ runs more than once, and is warned of.
 */
@ExtendWith(CapturedLogExtension.class)
class ScheduledHoldTests {

	@Test
	void cronJobThatDoesNotHoldItsLockIsAWarningThatNamesIt(CapturedLog log) {
		node().withBean("one", Brief.class).withBean("two", Brief.class).run((context) -> {
			assertThat(context).hasNotFailed();
			for (String method : new String[] { "annotated()", "secondCron()" }) {
				assertThat(log).containsOnlyOnce("@DistributedLock on " + Brief.class.getName() + "." + method
						+ ", attribute 'holdAtLeast': it is not set, and the job is started by cron on every node");
			}
		});
	}

	@Test
	void jobWithoutAScheduleHasAPlainLockAndIsReported(CapturedLog log) {
		node().withBean(Unscheduled.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log)
				.containsPattern("INFO .*Unscheduled\\.called\\(\\) has @ScheduledLock, but no schedule by @Scheduled: "
						+ "its calls have a plain lock")
				.doesNotContain("Unscheduled.disabled");
		});
	}

	@Test
	void jobThatHoldsItsLockOrIsNotStartedByCronIsNotWarnedOf(CapturedLog log) {
		node().withBean(Fit.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log).doesNotContain(Fit.class.getName());
		});
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	static class Brief {

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "annotated", onBusy = OnBusy.SKIP)
		public void annotated() {
		}

		@Scheduled(fixedDelay = 1_000_000)
		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "second-cron", onBusy = OnBusy.SKIP)
		public void secondCron() {
		}

	}

	static class Fit {

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "held", holdAtLeast = "30s")
		public void held() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "waits")
		public void waits() {
		}

		@Scheduled(fixedDelay = 1_000_000)
		@ScheduledLock("polls")
		public void polls() {
		}

		@Scheduled(cron = "${fit.cron:0 0 2 * * *}")
		@ScheduledLock("ticks")
		public void ticks() {
		}

	}

	static class Unscheduled {

		@ScheduledLock("called")
		public void called() {
		}

		@Scheduled(cron = Scheduled.CRON_DISABLED)
		@ScheduledLock("disabled")
		public void disabled() {
		}

		@Scheduled(cron = "${fit.cron:-}")
		@ScheduledLock("disabled-by-default")
		public void disabledByDefault() {
		}

	}

}
