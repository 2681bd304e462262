/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.table.LockTable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Holds locks in a process whose CPU is limited, while threads of the application use all
 * that they get, and prints how old heartbeats became.
 */
public final class LimitedHolder {

	private LimitedHolder() {
	}

	public static void main(String[] arguments) throws InterruptedException {
		URI endpoint = URI.create(arguments[0]);
		Duration lease = Duration.parse("PT" + arguments[1].toUpperCase(Locale.ROOT));
		int locks = Integer.parseInt(arguments[2]);
		int busyThreads = Integer.parseInt(arguments[3]);
		Duration time = Duration.parse("PT" + arguments[4].toUpperCase(Locale.ROOT));
		long started = System.nanoTime();
		Ages ages = new Ages();
		Losses losses = new Losses();
		DynamoDbClient dynamoDb = DynamoDbClient.builder()
			.endpointOverride(endpoint)
			.region(Region.of("local"))
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.overrideConfiguration((override) -> override.addExecutionInterceptor(ages))
			.build();
		String table = "locks-" + started;
		LockTable.of(dynamoDb, table).createIfMissing();
		try (LockClient client = LockClient.builder(dynamoDb)
			.tableName(table)
			.leaseDuration(lease)
			.waitTime(Duration.ofMinutes(1))
			.listener(losses)
			.build()) {
			for (int i = 0; i < busyThreads; i++) {
				Thread busy = new Thread(LimitedHolder::work, "busy-" + i);
				busy.setDaemon(true);
				busy.start();
			}
			client.acquire(LockRequest.of("first"));
			double first = seconds(System.nanoTime() - started);
			for (int i = 1; i < locks; i++) {
				client.acquire(LockRequest.of("lock-" + i));
			}
			// The JVM has loaded and compiled what it needs.
			Thread.sleep(lease.multipliedBy(2).toMillis());
			ages.reset();
			Thread.sleep(time.toMillis());
			long held = client.held().stream().filter(HeldLock::isHeld).count();
			System.out.printf(Locale.ROOT,
					"first lock after %.1f s; %d heartbeats, oldest %.2f s, p99 %.2f s, median %.2f s; failed %d, lost %d; held at the end %d of %d%n",
					first, ages.count(), ages.oldest(), ages.share(0.99), ages.share(0.5), losses.failed.sum(),
					losses.lost.sum(), held, locks);
		}
	}

	/** Takes all of the CPU that it gets, and allocates, as a busy application does. */
	private static void work() {
		SplittableRandom random = new SplittableRandom();
		long sum = 0;
		while (sum != 1) {
			byte[] bytes = new byte[1024];
			random.nextBytes(bytes);
			for (byte each : bytes) {
				sum += each;
			}
			sum |= 2;
		}
	}

	private static double seconds(long nanos) {
		return nanos / 1e9;
	}

	private static final class Losses implements LockListener {

		private final LongAdder failed = new LongAdder();

		private final LongAdder lost = new LongAdder();

		@Override
		public void onRenewalFailed(HeldLock lock, Throwable cause) {
			this.failed.increment();
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			this.lost.increment();
		}

	}

	/** From the sending of a lock's write to the response to its next one. */
	private static final class Ages implements ExecutionInterceptor {

		private static final ExecutionAttribute<Long> SENT = new ExecutionAttribute<>("sent");

		private final Map<Map<String, AttributeValue>, Long> lastSent = new ConcurrentHashMap<>();

		private final ConcurrentSkipListMap<Long, AtomicLong> centiseconds = new ConcurrentSkipListMap<>();

		private final LongAccumulator oldest = new LongAccumulator(Math::max, 0);

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			attributes.putAttribute(SENT, System.nanoTime());
		}

		@Override
		public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
			if (context.request() instanceof UpdateItemRequest write) {
				Long before = this.lastSent.put(write.key(), attributes.getAttribute(SENT));
				if (before != null) {
					long age = System.nanoTime() - before;
					this.oldest.accumulate(age);
					this.centiseconds.computeIfAbsent(age / 10_000_000, (key) -> new AtomicLong()).incrementAndGet();
				}
			}
		}

		void reset() {
			this.centiseconds.clear();
			this.oldest.reset();
		}

		long count() {
			return this.centiseconds.values().stream().mapToLong(AtomicLong::get).sum();
		}

		double oldest() {
			return seconds(this.oldest.get());
		}

		double share(double share) {
			long left = (long) (count() * share);
			for (Map.Entry<Long, AtomicLong> each : this.centiseconds.entrySet()) {
				left -= each.getValue().get();
				if (left <= 0) {
					return each.getKey() / 100.0;
				}
			}
			return 0;
		}

	}

}
