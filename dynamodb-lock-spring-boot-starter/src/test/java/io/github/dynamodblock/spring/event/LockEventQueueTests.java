/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What waits for listeners that are slow. */
@ExtendWith(CapturedLogExtension.class)
class LockEventQueueTests {

	private final HeldLock first = lock("first");

	private final HeldLock second = lock("second");

	private final HeldLock third = lock("third");

	@Test
	void aLossComesBeforeEventsOfOtherLocksAndAfterThoseOfItsOwn() {
		LockEventQueue queue = new LockEventQueue(10);
		LockEvent acquiredFirst = new LockAcquiredEvent(this.first);
		LockEvent acquiredSecond = new LockAcquiredEvent(this.second);
		LockEvent expiring = new LockExpiringEvent(this.second);
		LockEvent lost = new LockLostEvent(this.second, LossReason.EXPIRED);
		LockEvent alsoLost = new LockLostEvent(this.third, LossReason.EXPIRED);
		List.of(acquiredFirst, acquiredSecond, expiring, lost, alsoLost).forEach(queue::add);
		assertThat(all(queue)).containsExactly(acquiredSecond, expiring, lost, alsoLost, acquiredFirst);
	}

	@Test
	void aFullQueueDropsNewEventsButReplacesOldOnesByLosses() {
		LockEventQueue queue = new LockEventQueue(2);
		LockEvent kept = new LockAcquiredEvent(this.second);
		LockEvent lost = new LockLostEvent(this.third, LossReason.EXPIRED);
		assertThat(queue.add(new LockAcquiredEvent(this.first))).isFalse();
		assertThat(queue.add(kept)).isFalse();
		assertThat(queue.add(new LockReleasedEvent(this.first))).as("the first that is dropped").isTrue();
		assertThat(queue.add(lost)).isFalse();
		assertThat(queue.takeDropped()).as("while events wait").isZero();
		assertThat(all(queue)).containsExactly(lost, kept);
		assertThat(queue.takeDropped()).isEqualTo(2);
		assertThat(queue.takeDropped()).isZero();
	}

	@Test
	void ofTooManyLossesTheLatestAreKept() {
		LockEventQueue queue = new LockEventQueue(1);
		LockEvent latest = new LockLostEvent(this.second, LossReason.EXPIRED);
		queue.add(new LockLostEvent(this.first, LossReason.EXPIRED));
		queue.add(latest);
		assertThat(all(queue)).containsExactly(latest);
	}

	@Test
	void aListenerThatBlocksKeepsABoundedNumberOfEventsAndIsWarnedOfOnce(CapturedLog log) {
		CountDownLatch blocked = new CountDownLatch(1);
		List<Object> published = new CopyOnWriteArrayList<>();
		LockEventPublisher publisher = new LockEventPublisher((event) -> {
			published.add(event);
			awaitUninterruptibly(blocked);
		});
		publisher.start();
		publisher.onAcquired(this.first);
		await().until(() -> published.size() == 1);
		IntStream.range(0, 5_000).forEach((each) -> publisher.onReleased(this.first));
		publisher.onLost(this.second, LossReason.EXPIRED);
		blocked.countDown();
		await().until(() -> log.toString().contains("4001 lock events were dropped"));
		assertThat(published).hasSize(1 + 1_000);
		assertThat(published.get(1)).isEqualTo(new LockLostEvent(this.second, LossReason.EXPIRED));
		assertThat(log).containsOnlyOnce("Listeners of lock events are too slow");
		publisher.stop();
	}

	@Test
	void anErrorOfAListenerIsLoggedAndKeepsNoEventThatWaits(CapturedLog log) {
		CountDownLatch blocked = new CountDownLatch(1);
		List<Object> published = new CopyOnWriteArrayList<>();
		LockEventPublisher publisher = new LockEventPublisher((event) -> {
			published.add(event);
			awaitUninterruptibly(blocked);
			throw new NoClassDefFoundError("com/acme/Audit");
		});
		publisher.start();
		publisher.onAcquired(this.first);
		publisher.onReleased(this.first);
		blocked.countDown();
		await().untilAsserted(() -> assertThat(published).containsExactly(new LockAcquiredEvent(this.first),
				new LockReleasedEvent(this.first)));
		await().untilAsserted(
				() -> assertThat(log).containsOnlyOnce("A listener of LockReleasedEvent failed for lock 'first'"));
		publisher.stop();
	}

	private static List<LockEvent> all(LockEventQueue queue) {
		List<LockEvent> events = new ArrayList<>();
		for (LockEvent event = queue.poll(); event != null; event = queue.poll()) {
			events.add(event);
		}
		return events;
	}

	private static HeldLock lock(String key) {
		HeldLock lock = Mockito.mock(HeldLock.class);
		Mockito.when(lock.key()).thenReturn(LockKey.of(key));
		return lock;
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean done = false;
		while (!done) {
			try {
				latch.await();
				done = true;
			}
			catch (InterruptedException ex) {
				// Waits on.
			}
		}
	}

}
