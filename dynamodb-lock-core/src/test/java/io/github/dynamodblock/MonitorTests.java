/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.testing.MonitorCheck;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No thread waits in a monitor: until Java 24, a virtual thread that does keeps its
 * carrier from all others.
 */
class MonitorTests {

	@Test
	void nothingInTheClassFilesWaitsWhileItIsInAMonitor() throws URISyntaxException {
		MonitorCheck check = MonitorCheck
			.of(Path.of(LockClient.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
		assertThat(check.waitsInMonitors()).isEmpty();
		// What there is of monitors guards memory, where decisions are made and nothing
		// is sent.
		String protocol = ClockReading.class.getPackageName().replace('.', '/') + "/";
		assertThat(check.inMonitors()).isNotEmpty().allMatch((method) -> method.startsWith(protocol));
	}

	@Test
	void aWaitInASynchronizedMethodIsFound() throws URISyntaxException {
		assertThat(check(WaitsInMethod.class).waitsInMonitors()).singleElement()
			.asString()
			.contains("WaitsInMethod.await()V -> java/util/concurrent/CountDownLatch.await");
	}

	@Test
	void aWaitThatASynchronizedBlockCallsIsFound() throws URISyntaxException {
		assertThat(check(WaitsBehindABlock.class).waitsInMonitors()).singleElement()
			.asString()
			.contains("WaitsBehindABlock.pause()V -> java/util/concurrent/locks/LockSupport.park");
	}

	@Test
	void aWaitInALambdaIsFound() throws URISyntaxException {
		assertThat(check(WaitsInALambda.class).waitsInMonitors()).anySatisfy(
				(fault) -> assertThat(fault).contains("lambda$").contains("-> java/util/concurrent/CountDownLatch"));
	}

	private static MonitorCheck check(Class<?> type) throws URISyntaxException {
		String name = type.getName();
		URL file = type.getResource(name.substring(name.lastIndexOf('.') + 1) + ".class");
		return MonitorCheck.of(Path.of(Objects.requireNonNull(file).toURI()));
	}

	@SuppressWarnings("unused") // read from its class file
	private static final class WaitsInMethod {

		private final CountDownLatch latch = new CountDownLatch(1);

		synchronized void await() throws InterruptedException {
			this.latch.await();
		}

	}

	@SuppressWarnings("unused") // read from its class file
	private static final class WaitsBehindABlock {

		private final Object monitor = new Object();

		void enter() {
			synchronized (this.monitor) {
				pause();
			}
		}

		private static void pause() {
			LockSupport.park();
		}

	}

	@SuppressWarnings("unused") // read from its class file
	private static final class WaitsInALambda {

		private final CountDownLatch latch = new CountDownLatch(1);

		synchronized void run() {
			Runnable task = () -> {
				this.latch.countDown();
			};
			task.run();
		}

	}

}
