/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ways to lock.
 */
enum Way {

	LOCK {
		@Override
		void acquire(DistributedLock lock) {
			lock.lock();
		}
	},

	LOCK_INTERRUPTIBLY {
		@Override
		void acquire(DistributedLock lock) throws InterruptedException {
			lock.lockInterruptibly();
		}
	},

	LOCK_FOR_A_TIME {
		@Override
		void acquire(DistributedLock lock) {
			lock.lock(RegistryNode.LONG_LEASE);
		}
	},

	TRY_LOCK {
		@Override
		void acquire(DistributedLock lock) {
			assertThat(lock.tryLock()).isTrue();
		}
	},

	TRY_LOCK_WITH_A_WAIT {
		@Override
		void acquire(DistributedLock lock) throws InterruptedException {
			assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
		}
	},

	TRY_LOCK_FOR_A_TIME {
		@Override
		void acquire(DistributedLock lock) throws InterruptedException {
			assertThat(lock.tryLock(Duration.ofSeconds(5), RegistryNode.LONG_LEASE)).isTrue();
		}
	};

	abstract void acquire(DistributedLock lock) throws InterruptedException;

}
