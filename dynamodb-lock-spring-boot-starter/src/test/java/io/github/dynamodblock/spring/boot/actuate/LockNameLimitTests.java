/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Under how many names the locks of a client are measured.
 */
@ExtendWith(CapturedLogExtension.class)
class LockNameLimitTests {

	private static final int THREADS = 4;

	private static final int LIMIT = 1000;

	private final Set<String> measured = ConcurrentHashMap.newKeySet();

	private final LockClient target = LockClient.builder(InMemoryDynamoDb.withLockTable("locks"))
		.tableName("locks")
		.build();

	private final LockClient client = observed();

	@AfterEach
	void close() {
		this.target.close();
	}

	@Test
	void aNameThatSeveralThreadsUseFirstIsMeasuredAsItself(CapturedLog log) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			CyclicBarrier together = new CyclicBarrier(THREADS);
			List<Future<?>> all = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				String key = "k" + thread;
				all.add(threads.submit(() -> {
					for (int name = 0; name < LIMIT / 2; name++) {
						together.await();
						acquire(key, "name-" + name);
					}
					return null;
				}));
			}
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.measured).hasSize(LIMIT / 2).doesNotContain("other");
		assertThat(log).doesNotContain("Locks of client 'names'");
	}

	@Test
	void namesBeyondTheLimitAreMeasuredTogetherAndReportedOnce(CapturedLog log) throws Exception {
		for (int name = 0; name < LIMIT + 2; name++) {
			acquire("k", "name-" + name);
		}
		acquire("k", "name-0");
		assertThat(this.measured).hasSize(LIMIT + 1).contains("name-0", "other");
		assertThat(log).containsOnlyOnce("Locks of client 'names' have more than 1000 names. Further ones, such as "
				+ "'name-1000', are measured together as 'other'");
	}

	private void acquire(String key, String name) throws InterruptedException {
		this.client.acquire(LockRequest.of(key).name(name)).release();
	}

	private LockClient observed() {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new Names());
		ProxyFactory proxy = new ProxyFactory(this.target);
		proxy.addAdvice(new LockAcquisitionInterceptor("names", () -> observations, null));
		return (LockClient) proxy.getProxy();
	}

	/** Collects the names of what is observed. */
	private final class Names implements ObservationHandler<LockAcquisitionContext> {

		@Override
		public void onStart(LockAcquisitionContext context) {
			LockNameLimitTests.this.measured.add(context.lockName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof LockAcquisitionContext;
		}

	}

}
