/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.WaitingAcquisition;

import org.springframework.aop.framework.AopProxyUtils;

/**
 * A lock client that leaves everything to another one, but for the acquisitions that a
 * subclass looks at.
 */
abstract class LockClientDecorator implements LockClient {

	private final LockClient delegate;

	LockClientDecorator(LockClient delegate) {
		this.delegate = delegate;
	}

	final LockClient delegate() {
		return this.delegate;
	}

	/**
	 * Whether a client is instrumented already, be it under another bean's name or behind
	 * a proxy.
	 */
	static boolean isInstrumented(LockClient client) {
		Object each = client;
		while (each != null && !(each instanceof InstrumentedLockClient)) {
			each = (each instanceof LockClientDecorator decorator) ? decorator.delegate
					: AopProxyUtils.getSingletonTarget(each);
		}
		return each != null;
	}

	@Override
	public HeldLock acquire(LockRequest request) throws InterruptedException {
		return this.delegate.acquire(request);
	}

	@Override
	public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
		return this.delegate.tryAcquire(request);
	}

	@Override
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		return this.delegate.acquireAsync(request, executor);
	}

	@Override
	public HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException {
		return this.delegate.adopt(token, request);
	}

	@Override
	public Optional<LockRecord> find(LockKey key) {
		return this.delegate.find(key);
	}

	@Override
	public boolean holds(LockKey key) {
		return this.delegate.holds(key);
	}

	@Override
	public List<HeldLock> held() {
		return this.delegate.held();
	}

	@Override
	public List<WaitingAcquisition> waiting() {
		return this.delegate.waiting();
	}

	@Override
	public LockToken renew(LockToken token, RenewRequest request) {
		return this.delegate.renew(token, request);
	}

	@Override
	public ReleaseOutcome release(LockToken token) {
		return this.delegate.release(token);
	}

	@Override
	public ReleaseOutcome forceRelease(LockKey key, String expectedOwner) {
		return this.delegate.forceRelease(key, expectedOwner);
	}

	@Override
	public LockRecord change(LockKey key, ItemChange change) {
		return this.delegate.change(key, change);
	}

	@Override
	public Stream<LockRecord> list(ListRequest request) {
		return this.delegate.list(request);
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.delegate.serviceTime();
	}

	@Override
	public Duration waitTime() {
		return this.delegate.waitTime();
	}

	@Override
	public Optional<Duration> holdAtMost() {
		return this.delegate.holdAtMost();
	}

	@Override
	public String ownerName() {
		return this.delegate.ownerName();
	}

	@Override
	public String tableName() {
		return this.delegate.tableName();
	}

	@Override
	public void close() {
		this.delegate.close();
	}

	@Override
	public void closeWithoutReleasing() {
		this.delegate.closeWithoutReleasing();
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
