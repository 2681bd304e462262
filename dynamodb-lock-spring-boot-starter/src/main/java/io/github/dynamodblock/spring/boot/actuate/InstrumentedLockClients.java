/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Instruments every lock client bean once by a proxy: each acquisition is an observation,
 * from which its timer is made as well, and there are meters of held locks. All names
 * begin with {@code dynamodb.lock}; tags have the bean's name and the locks' names, never
 * a key. It does so before the bean is initialized, and so before spies of tests and
 * other proxies are made: these then stand outside, and are what is injected. A client
 * that a factory bean makes is instrumented afterwards.
 *
 * <pre class="code">
 * &#64;Bean
 * static InstrumentedLockClients instrumentedLockClients(ObjectProvider&lt;ObservationRegistry&gt; observations,
 *         ObjectProvider&lt;MeterRegistry&gt; meters) {
 *     return new InstrumentedLockClients(observations::getObject, meters::getObject);
 * }
 * </pre>
 */
public class InstrumentedLockClients implements BeanPostProcessor {

	private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

	private final Set<String> instrumented = ConcurrentHashMap.newKeySet();

	private final Supplier<ObservationRegistry> observations;

	private final @Nullable Supplier<MeterRegistry> meters;

	/**
	 * Instruments lock clients. Each supplier is asked once, when there is something to
	 * record and not before, since post-processors are made before other beans.
	 * @param observations where acquisitions are observed
	 * @param meters where locks are measured, or {@code null} if they are not
	 */
	public InstrumentedLockClients(Supplier<ObservationRegistry> observations,
			@Nullable Supplier<MeterRegistry> meters) {
		this.observations = SingletonSupplier.of(observations);
		this.meters = (meters != null) ? SingletonSupplier.of(meters) : null;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		return (bean instanceof LockClient client) ? instrumented(client, beanName) : bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof LockClient client && !this.instrumented.contains(beanName))
				? instrumented(client, beanName) : bean;
	}

	private Object instrumented(LockClient client, String beanName) {
		this.instrumented.add(beanName);
		// Behind a scoped proxy stands a bean that is instrumented itself.
		if (client instanceof ScopedObject || isInstrumented(client)) {
			return client;
		}
		String name = beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
		ProxyFactory proxy = new ProxyFactory(client);
		proxy.addAdvice(new LockAcquisitionInterceptor(name, this.observations,
				(this.meters != null) ? new LockMeters(client, name, this.meters) : null));
		return proxy.getProxy();
	}

	/** Whether it is, be it under another bean's name or behind another proxy. */
	private static boolean isInstrumented(@Nullable Object client) {
		return client instanceof Advised advised && (Arrays.stream(advised.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice() instanceof LockAcquisitionInterceptor)
				|| isInstrumented(AopProxyUtils.getSingletonTarget(client)));
	}

}
