/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Observes every acquisition of every lock client bean.
 *
 * <pre class="code">
 * &#64;Bean
 * static ObservedLockClients observedLockClients(ObjectProvider&lt;ObservationRegistry&gt; registry,
 *         ObjectProvider&lt;LockObservationConvention&gt; convention) {
 *     return new ObservedLockClients(registry::getObject, convention::getIfAvailable);
 * }
 * </pre>
 */
public final class ObservedLockClients extends LockClientPostProcessor {

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<Optional<LockObservationConvention>> convention;

	/**
	 * Observes lock clients.
	 * @param registry where; asked for once, when a lock is acquired and not before,
	 * since post-processors are made before other beans
	 * @param convention what observations carry; gives {@code null} for
	 * {@link DefaultLockObservationConvention}
	 */
	public ObservedLockClients(Supplier<ObservationRegistry> registry,
			Supplier<@Nullable LockObservationConvention> convention) {
		super(ObservedLockClient.class);
		this.registry = SingletonSupplier.of(registry);
		this.convention = SingletonSupplier.of(() -> Optional.ofNullable(convention.get()));
	}

	@Override
	LockClient decorate(LockClient client, String beanName) {
		return new ObservedLockClient(client, beanName, this.registry, this.convention);
	}

}
