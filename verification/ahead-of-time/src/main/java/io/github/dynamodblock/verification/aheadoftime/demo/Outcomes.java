/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime.demo;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.verification.aheadoftime.Audit;
import io.github.dynamodblock.verification.aheadoftime.Order;
import io.github.dynamodblock.verification.aheadoftime.Orders;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import io.github.dynamodblock.spring.event.LockReleasedEvent;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.stereotype.Component;

/**
 * Calls everything once and prints the outcomes, one line each.
 */
@Component
class Outcomes implements ApplicationRunner {

	private static final Order ORDER = new Order(42);

	private final Orders orders;

	private final Audit audit;

	private final LockTemplate lockTemplate;

	private final LockClient reports;

	private final LocksEndpoint endpoint;

	private final MeterRegistry meters;

	private final DynamoDbLockRegistry registry;

	private final CountDownLatch released = new CountDownLatch(1);

	private final CountDownLatch granted = new CountDownLatch(1);

	Outcomes(Orders orders, Audit audit, LockTemplate lockTemplate, @Qualifier("reports") LockClient reports,
			LocksEndpoint endpoint, MeterRegistry meters, DynamoDbLockRegistry registry) {
		this.orders = orders;
		this.audit = audit;
		this.lockTemplate = lockTemplate;
		this.reports = reports;
		this.endpoint = endpoint;
		this.meters = meters;
		this.registry = registry;
	}

	@Override
	public void run(ApplicationArguments arguments) throws Exception {
		print("fulfil", this.orders.fulfil(ORDER));
		print("whichMethod", this.orders.whichMethod());
		print("audit", this.audit.audit());
		print("ship", this.orders.ship(ORDER));
		print("nightly", this.orders.nightly());
		String report = this.orders.report();
		print("report", report);
		print("reported", this.reports.find(report).isPresent());
		print("free", this.orders.countUnlessBusy(ORDER).isPresent());
		ExecutorService others = Executors.newSingleThreadExecutor();
		try {
			print("fallback", this.lockTemplate.executeChecked("orders:" + ORDER.id(), (lock) -> {
				print("template", lock.key());
				print("nested", this.orders.fulfil(ORDER));
				print("busy", others.submit(() -> this.orders.countUnlessBusy(ORDER).isPresent()).get());
				print("refused", refusal(others));
				return others.submit(() -> this.orders.ship(ORDER)).get();
			}));
		}
		finally {
			others.shutdown();
		}
		print("shown", this.endpoint.table("reports", report, null) != null);
		print("metered",
				this.meters.find("dynamodb.lock.acquire").tag("dynamodb.lock.name", "monthly").timer() != null);
		print("event", this.released.await(30, TimeUnit.SECONDS));
		this.registry.executeLocked("orders", () -> print("registry", heldKey("orders")));
		print("elected", this.granted.await(30, TimeUnit.SECONDS));
		print("leader", heldKey("reporter"));
	}

	private List<String> refusal(ExecutorService others) throws InterruptedException {
		try {
			return List.of("not refused", others.submit(() -> this.orders.fulfil(ORDER)).get());
		}
		catch (ExecutionException ex) {
			return List.of(LockNotGrantedException.class.isInstance(ex.getCause()) ? "not granted" : ex.toString());
		}
	}

	@EventListener
	void on(LockReleasedEvent event) {
		if (event.key().partition().endsWith("audit")) {
			this.released.countDown();
		}
	}

	@EventListener
	void on(OnGrantedEvent event) {
		this.granted.countDown();
	}

	private LockKey heldKey(String key) {
		return this.registry.heldLock(key).map(HeldLock::key).orElseThrow();
	}

	private static void print(String what, @Nullable Object outcome) {
		System.out.println("OUTCOME " + what + " = " + outcome);
	}

}
