/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClient;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

/**
 * Ends all leases before the process is checkpointed, and opens the lock clients again
 * after the restore. Spring stops lifecycle beans before a checkpoint and starts them
 * after it. It stops a context in the same way for other reasons, so this bean exists
 * only if checkpoints are possible. It does nothing when the context closes, because each
 * lock client bean is then closed after the beans that use it.
 */
class LockClientLifecycle implements SmartLifecycle, SmartInitializingSingleton {

	private final ConfigurableApplicationContext context;

	private volatile boolean running;

	LockClientLifecycle(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** A checkpoint on refresh is taken before lifecycle beans start. */
	@Override
	public void afterSingletonsInstantiated() {
		if (DefaultLifecycleProcessor.ON_REFRESH_VALUE
			.equalsIgnoreCase(SpringProperties.getProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME))) {
			forEachClient(LockClient::beforeCheckpoint);
		}
	}

	@Override
	public void start() {
		forEachClient(LockClient::afterRestore);
		this.running = true;
	}

	@Override
	public void stop() {
		if (!this.context.isClosed()) {
			forEachClient(LockClient::beforeCheckpoint);
		}
		this.running = false;
	}

	private void forEachClient(Consumer<LockClient> action) {
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		Arrays.stream(beans.getBeanNamesForType(LockClient.class, false, false))
			.filter(beans::containsSingleton)
			.forEach((name) -> action.accept(beans.getBean(name, LockClient.class)));
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** A paused context stays in its process and keeps its locks. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/** Stops after the beans that lock, but before the publisher of loss events. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1;
	}

}
