/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockFallbackClientAutoConfiguration;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that a test starts on a class path of its own.
 */
public final class LockingApplication {

	private LockingApplication() {
	}

	/**
	 * Starts the application and calls an annotated method of it.
	 * @param properties properties of the application
	 * @return whether the lock was held while the method ran, and only then
	 */
	public static boolean locks(String... properties) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Beans.class).properties(properties)
			.web(WebApplicationType.NONE)
			.run()) {
			LockClient locks = context.getBean(LockClient.class);
			AtomicBoolean heldInside = new AtomicBoolean();
			context.getBean(Job.class).run(() -> heldInside.set(isHeld(locks)));
			return heldInside.get() && !isHeld(locks);
		}
	}

	private static boolean isHeld(LockClient locks) {
		return locks.find("job").filter((lock) -> !lock.isReleased()).isPresent();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DynamoDbLockClientAutoConfiguration.class,
			DynamoDbLockFallbackClientAutoConfiguration.class, DistributedLockAutoConfiguration.class })
	static class Beans {

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		@DistributedLock("job")
		void run(Runnable body) {
			body.run();
		}

	}

}
