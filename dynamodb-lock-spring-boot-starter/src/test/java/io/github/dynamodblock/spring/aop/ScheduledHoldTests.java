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
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A scheduled method with a plain lock runs once for each node, unless its lock is held
 * for longer than the nodes' clocks differ. It is warned of.
 */
@ExtendWith(CapturedLogExtension.class)
class ScheduledHoldTests {

	@Test
	void scheduledMethodWithAPlainLockIsAWarningThatNamesIt(CapturedLog log) {
		node().withBean("one", Brief.class).withBean("two", Brief.class).run((context) -> {
			assertThat(context).hasNotFailed();
			for (String method : new String[] { "annotated()", "secondCron()", "waits()", "atARate()" }) {
				assertThat(log)
					.containsOnlyOnce(Brief.class.getName() + "." + method
							+ ": @Scheduled starts it on every node, and its lock only makes the nodes run it")
					.containsOnlyOnce(method + ": @Scheduled");
			}
			assertThat(log).contains("Use @ScheduledLock");
		});
	}

	@Test
	void jobThatHasTicksOrHoldsItsLockOrIsNotRepeatedIsNotWarnedOf(CapturedLog log) {
		node().withBean(Fit.class).withUserConfiguration(Scheduling.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log).doesNotContain(Fit.class.getName());
		});
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

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

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "waits")
		public void waits() {
		}

		@Scheduled(fixedRateString = "PT20M", initialDelay = 1_000_000)
		@DistributedLock(name = "at-a-rate")
		public void atARate() {
		}

	}

	static class Fit {

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "held", onBusy = OnBusy.SKIP, holdAtLeast = "30s")
		public void held() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock(name = "plain", onBusy = OnBusy.SKIP, holdAtLeast = "30s")
		public void plain() {
		}

		@Scheduled(initialDelay = 1_000_000)
		@DistributedLock(name = "once")
		public void once() {
		}

		@Scheduled(cron = Scheduled.CRON_DISABLED)
		@DistributedLock(name = "off")
		public void off() {
		}

		@Scheduled(fixedDelay = 1_000_000, initialDelay = 1_000_000)
		@ScheduledLock("polls")
		public void polls() {
		}

		@Scheduled(cron = "${fit.cron:0 0 2 * * *}")
		@ScheduledLock("ticks")
		public void ticks() {
		}

	}

}
