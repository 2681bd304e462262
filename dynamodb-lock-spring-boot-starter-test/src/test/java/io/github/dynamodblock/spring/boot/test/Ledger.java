/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A bean whose methods take locks, in an application that configures nothing else.
 */
class Ledger {

	static final String KEY = "ledger:2026";

	/** Gives the lock under which it ran. */
	@DistributedLock(name = "ledger", key = "'2026'")
	public HeldLock post() {
		return LockContext.current().orElseThrow();
	}

	/** Runs, and keeps others from running for a while. */
	@DistributedLock(name = "closing", onBusy = OnBusy.SKIP, holdAtLeast = "5m")
	public @Nullable String close() {
		return "closed";
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Ledger ledger() {
			return new Ledger();
		}

	}

}
