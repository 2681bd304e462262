/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.util.function.SingletonSupplier;

/**
 * Measures every lock client bean. The meters begin with {@code dynamodb.lock}, and are
 * tagged with the bean's name and the locks' names, never with a key.
 *
 * <pre class="code">
 * &#64;Bean
 * static MeteredLockClients meteredLockClients(ObjectProvider&lt;MeterRegistry&gt; registry) {
 *     return new MeteredLockClients(registry::getObject);
 * }
 * </pre>
 */
public final class MeteredLockClients extends LockClientPostProcessor {

	private final Supplier<MeterRegistry> registry;

	/**
	 * Measures lock clients.
	 * @param registry where; asked for once, when there is something to record and not
	 * before, since post-processors are made before other beans
	 */
	public MeteredLockClients(Supplier<MeterRegistry> registry) {
		super(MeteredLockClient.class);
		this.registry = SingletonSupplier.of(registry);
	}

	@Override
	LockClient decorate(LockClient client, String beanName) {
		return new MeteredLockClient(client, new LockMeters(client, beanName, this.registry));
	}

}
