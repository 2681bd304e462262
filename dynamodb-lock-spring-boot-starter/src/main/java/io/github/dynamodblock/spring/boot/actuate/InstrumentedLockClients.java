/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Instruments every lock client bean once: each acquisition is an observation, from which
 * its timer is made as well, and there are meters of held locks. All names begin with
 * {@code dynamodb.lock}; tags have the bean's name and the locks' names, never a key. It
 * does so before the bean is initialized, and so before spies of tests and proxies are
 * made: these then stand outside, and are what is injected. A client that has to be
 * initialized itself, or that a factory bean makes, is decorated afterwards.
 *
 * <pre class="code">
 * &#64;Bean
 * static InstrumentedLockClients instrumentedLockClients(ObjectProvider&lt;ObservationRegistry&gt; observations,
 *         ObjectProvider&lt;LockObservationConvention&gt; convention, ObjectProvider&lt;MeterRegistry&gt; meters) {
 *     return new InstrumentedLockClients(observations::getObject, convention::getIfAvailable, meters::getObject);
 * }
 * </pre>
 */
public class InstrumentedLockClients implements BeanPostProcessor, BeanFactoryAware {

	private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

	private final Set<String> postponed = ConcurrentHashMap.newKeySet();

	private final Supplier<ObservationRegistry> observations;

	private final Supplier<Optional<LockObservationConvention>> convention;

	private final @Nullable Supplier<MeterRegistry> meters;

	private @Nullable ConfigurableBeanFactory beanFactory;

	/**
	 * Instruments lock clients. Each supplier is asked once, when there is something to
	 * record and not before, since post-processors are made before other beans.
	 * @param observations where acquisitions are observed
	 * @param convention what observations carry; gives {@code null} for
	 * {@link DefaultLockObservationConvention}
	 * @param meters where locks are measured, or {@code null} if they are not
	 */
	public InstrumentedLockClients(Supplier<ObservationRegistry> observations,
			Supplier<@Nullable LockObservationConvention> convention, @Nullable Supplier<MeterRegistry> meters) {
		this.observations = SingletonSupplier.of(observations);
		this.convention = SingletonSupplier.of(() -> Optional.ofNullable(convention.get()));
		this.meters = (meters != null) ? SingletonSupplier.of(meters) : null;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (beanFactory instanceof ConfigurableBeanFactory configurable) ? configurable : null;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (!(bean instanceof LockClient client)) {
			return bean;
		}
		if (isInitialized(client, beanName)) {
			this.postponed.add(beanName);
			return bean;
		}
		return decorated(client, beanName);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof LockClient client
				&& (this.postponed.contains(beanName) || isMadeByFactoryBean(beanName))) ? decorated(client, beanName)
						: bean;
	}

	private Object decorated(LockClient client, String beanName) {
		// Behind a scoped proxy stands a bean that is decorated itself.
		if (client instanceof ScopedObject || isMock(client) || LockClientDecorator.isInstrumented(client)) {
			return client;
		}
		String name = beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
		UnaryOperator<LockRequest> measured = (this.meters != null)
				? new LockMeters(client, name, this.meters)::measured : UnaryOperator.identity();
		return new InstrumentedLockClient(client, name, this.observations, this.convention, measured);
	}

	/** What is initialized has to be the client, and not its decoration. */
	private boolean isInitialized(LockClient client, String beanName) {
		if (client instanceof InitializingBean) {
			return true;
		}
		try {
			return this.beanFactory != null
					&& this.beanFactory.getMergedBeanDefinition(beanName) instanceof AbstractBeanDefinition definition
					&& StringUtils.hasText(definition.getInitMethodName());
		}
		catch (NoSuchBeanDefinitionException ex) {
			return false;
		}
	}

	private boolean isMadeByFactoryBean(String beanName) {
		try {
			return this.beanFactory != null && this.beanFactory.isFactoryBean(beanName);
		}
		catch (NoSuchBeanDefinitionException ex) {
			return false;
		}
	}

	/**
	 * Of an interface, Mockito always generates the class. A test stubs the mock itself.
	 */
	private static boolean isMock(LockClient client) {
		return client.getClass().getName().contains("MockitoMock");
	}

}
