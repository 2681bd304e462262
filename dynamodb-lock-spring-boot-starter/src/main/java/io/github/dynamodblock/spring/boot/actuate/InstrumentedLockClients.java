/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.lang.reflect.Modifier;
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
import org.springframework.core.NativeDetector;
import org.springframework.util.function.SingletonSupplier;

/**
 * Instruments every lock client bean once, with a proxy. Each acquisition is an
 * observation, from which its timer is derived, and held locks have meters. All names
 * begin with {@code dynamodb.lock}. Tags contain the names of the bean and the locks,
 * never a key. The proxy is created before the bean is initialized, so test spies and
 * other proxies wrap it and are injected. A client from a factory bean is instrumented
 * after its initialization.
 *
 * <p>
 * The methods that take a {@code LockRequest} are instrumented, and so are the shorthands
 * that call them. If a client's class overrides a shorthand, calls of that method are not
 * measured. If the client's class is final, or in a native image, the client can be
 * injected only by its interfaces.
 *
 * <pre class="code"> &#64;Bean static InstrumentedLockClients
 * instrumentedLockClients(ObjectProvider&lt;ObservationRegistry&gt; observations,
 * ObjectProvider&lt;MeterRegistry&gt; meters) { return new
 * InstrumentedLockClients(observations::getObject, meters::getObject); } </pre>
 */
public class InstrumentedLockClients implements BeanPostProcessor {

	private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

	private final Set<String> instrumented = ConcurrentHashMap.newKeySet();

	private final Supplier<ObservationRegistry> observations;

	private final @Nullable Supplier<MeterRegistry> meters;

	/**
	 * Creates the post-processor. Each supplier is called once, when there is something
	 * to record: post-processors are created before the beans that the suppliers return.
	 * @param observations supplies the registry for acquisitions
	 * @param meters supplies the registry for meters, or {@code null} for no meters
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
		// The bean behind a scoped proxy is instrumented itself.
		if (client instanceof ScopedObject || isInstrumented(client)) {
			return client;
		}
		String name = beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
		ProxyFactory proxy = new ProxyFactory(client);
		// A client of an application's class can still be injected by that class.
		proxy.setProxyTargetClass(isOfApplication(client.getClass()) && !NativeDetector.inNativeImage());
		proxy.addAdvice(new LockAcquisitionInterceptor(name, this.observations,
				(this.meters != null) ? new LockMeters(client, name, this.meters) : null));
		return proxy.getProxy();
	}

	/**
	 * Returns whether the client's class is the application's, and a proxy can extend it.
	 */
	private static boolean isOfApplication(Class<?> type) {
		return !type.getName().startsWith(LockClient.class.getPackageName() + ".runtime.")
				&& !Modifier.isFinal(type.getModifiers()) && !type.isSealed()
				&& !Arrays.stream(type.getDeclaredConstructors())
					.allMatch((constructor) -> Modifier.isPrivate(constructor.getModifiers()))
				&& Arrays.stream(type.getMethods())
					.noneMatch((method) -> Modifier.isFinal(method.getModifiers())
							&& !Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() != Object.class);
	}

	/** Detects instrumentation under any bean name, and behind another proxy. */
	private static boolean isInstrumented(@Nullable Object client) {
		return client instanceof Advised advised && (Arrays.stream(advised.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice() instanceof LockAcquisitionInterceptor)
				|| isInstrumented(AopProxyUtils.getSingletonTarget(client)));
	}

}
