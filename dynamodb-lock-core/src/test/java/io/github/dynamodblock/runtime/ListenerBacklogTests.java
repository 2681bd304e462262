/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.ListenerDispatcher;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Listeners that are too slow, that block, and that are of many classes.
 */
class ListenerBacklogTests {

	private static final LockRequest REQUEST = LockRequest.of("k");

	private final Logger logger = (Logger) LoggerFactory.getLogger(LockClient.class);

	private final Lines lines = new Lines();

	/** What the executor of the application has to run. */
	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final List<String> received = new ArrayList<>();

	@BeforeEach
	void capture() {
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stopCapturing() {
		this.logger.detachAppender(this.lines);
	}

	@Test
	void aListenerThatIsTooSlowMissesHeartbeatsAndLocksThatAreRequestedMeanwhile() {
		ListenerDispatcher dispatcher = new ListenerDispatcher(List.of(new Slow()),
				new ThreadedEnvironment(new SimulatedTable(), null, this.tasks::add), new LockLog(Runnable::run));
		ListenerDispatcher.Notifications early = dispatcher.about(REQUEST);
		early.send(event("early acquired"));
		for (int i = 0; i < ListenerDispatcher.CAPACITY; i++) {
			early.sendRecurring(event("early renewed"));
		}
		ListenerDispatcher.Notifications late = dispatcher.about(REQUEST);
		late.send(event("late acquired"));
		early.send(event("early released"));
		assertThat(this.lines.about(Slow.class)).singleElement()
			.asString()
			.startsWith("WARN Listener " + Slow.class.getName() + " is too slow: 10000 callbacks wait for it.");
		runAll();
		assertThat(this.received).hasSize(ListenerDispatcher.CAPACITY + 1)
			.startsWith("early acquired", "early renewed")
			.endsWith("early renewed", "early released");
		assertThat(this.lines.about(Slow.class)).hasSize(2)
			.last()
			.asString()
			.isEqualTo("WARN Listener " + Slow.class.getName()
					+ " has caught up; 2 callbacks were dropped in the meantime");
		late.send(event("late released"));
		dispatcher.about(REQUEST).send(event("next acquired"));
		runAll();
		assertThat(this.received).endsWith("early released", "next acquired");
	}

	@Test
	void aCloseSaysHowManyCallbacksABlockedListenerDidNotReceive() throws Exception {
		Blocking blocking = new Blocking();
		List<Thread> threads = new CopyOnWriteArrayList<>();
		LockClient client = LockClient.builder(TestDynamoDb.client())
			.tableName(TestDynamoDb.newTable().tableName())
			.listener(blocking)
			.threadFactory((task) -> {
				Thread thread = new Thread(task);
				threads.add(thread);
				return thread;
			})
			.build();
		for (int i = 0; i < 20; i++) {
			client.acquire("k" + i).release();
		}
		await().until(() -> blocking.called.get() == 8);
		client.close();
		// Eight acquisitions are being reported; their releases and the others are not.
		assertThat(this.lines.about(Blocking.class)).containsExactly("WARN Listener " + Blocking.class.getName()
				+ " blocked while the lock client closed: 32 callbacks were dropped");
		blocking.end.countDown();
		await().untilAsserted(() -> assertThat(threads).noneMatch(Thread::isAlive));
		assertThat(blocking.called).hasValue(8);
	}

	@Test
	void aClassOfListenersThatIsNoLongerUsedIsNotKept() throws Exception {
		Environment environment = new ThreadedEnvironment(new SimulatedTable(), null, null);
		ListenerDispatcher dispatcher = new ListenerDispatcher(List.of(), environment, LockLog.NONE);
		try {
			WeakReference<ClassLoader> loader = notifyListenerOfAnotherLoader(dispatcher);
			await().until(() -> {
				System.gc();
				return loader.get() == null;
			});
		}
		finally {
			environment.close(Duration.ofSeconds(10), dispatcher::abandon);
		}
	}

	@Test
	void listenersOfManyClassesShareIdleThreads() throws Exception {
		Environment environment = new ThreadedEnvironment(new SimulatedTable(), null, null);
		ListenerDispatcher dispatcher = new ListenerDispatcher(List.of(), environment, LockLog.NONE);
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		try {
			for (int i = 0; i < 100; i++) {
				CompletableFuture<Thread> called = new CompletableFuture<>();
				try (URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
					dispatcher.about(REQUEST.listener(listener(loader)))
						.send((listener) -> called.complete(Thread.currentThread()));
				}
				Thread thread = called.get(20, TimeUnit.SECONDS);
				threads.add(thread);
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			}
			assertThat(threads).hasSizeLessThan(10);
		}
		finally {
			environment.close(Duration.ofSeconds(10), dispatcher::abandon);
		}
	}

	private static WeakReference<ClassLoader> notifyListenerOfAnotherLoader(ListenerDispatcher dispatcher)
			throws Exception {
		try (URLClassLoader loader = new URLClassLoader(new URL[0], LockListener.class.getClassLoader())) {
			CompletableFuture<Boolean> called = new CompletableFuture<>();
			dispatcher.about(REQUEST.listener(listener(loader))).send((listener) -> called.complete(true));
			assertThat(called.get(20, TimeUnit.SECONDS)).isTrue();
			return new WeakReference<>(loader);
		}
	}

	/** A listener whose class is the loader's own. */
	private static LockListener listener(ClassLoader loader) {
		return (LockListener) Proxy.newProxyInstance(loader, new Class<?>[] { LockListener.class },
				(proxy, method, arguments) -> null);
	}

	private Consumer<LockListener> event(String name) {
		return (listener) -> this.received.add(name);
	}

	private void runAll() {
		for (Runnable next = this.tasks.poll(); next != null; next = this.tasks.poll()) {
			next.run();
		}
	}

	private static final class Slow implements LockListener {

	}

	/** Its calls end neither by themselves nor by an interrupt. */
	private static final class Blocking implements LockListener {

		private final CountDownLatch end = new CountDownLatch(1);

		private final AtomicInteger called = new AtomicInteger();

		@Override
		public void onAcquired(HeldLock lock) {
			this.called.incrementAndGet();
			while (this.end.getCount() > 0) {
				try {
					this.end.await();
				}
				catch (InterruptedException ex) {
					// It goes on blocking.
				}
			}
		}

		@Override
		public void onReleased(HeldLock lock) {
			this.called.incrementAndGet();
		}

	}

	/** The lines about a listener; other tests log beside this one. */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final List<String> lines = new CopyOnWriteArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
		}

		List<String> about(Class<?> listener) {
			return this.lines.stream().filter((line) -> line.contains(listener.getName())).toList();
		}

	}

}
