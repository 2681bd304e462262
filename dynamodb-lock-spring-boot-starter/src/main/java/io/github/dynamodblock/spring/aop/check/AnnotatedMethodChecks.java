/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.util.ClassUtils;

/**
 * Everything that must be right about annotated methods. Thread-safe, since beans may be
 * made by several threads.
 */
final class AnnotatedMethodChecks {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethodChecks.class);

	// By name: the annotations need not be there.
	private static final Set<String> LIFECYCLE_ANNOTATIONS = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockDefinitions definitions;

	private final UnadvisedBeans unadvised;

	private final AdviceOrderCheck adviceOrder;

	private final LockClientCheck lockClients;

	/** Locations by default names. */
	private final Map<String, String> defaultNames = new ConcurrentHashMap<>();

	/** Locations of jobs by their names. */
	private final Map<String, String> jobs = new ConcurrentHashMap<>();

	private final Set<String> warnings = ConcurrentHashMap.newKeySet();

	private boolean failOnMissingAdvice = true;

	private Function<@Nullable String, Optional<HoldLimit>> holdLimits = (lockClient) -> Optional.empty();

	AnnotatedMethodChecks(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor) {
		this.beanFactory = beanFactory;
		this.definitions = advisor.definitions();
		this.unadvised = new UnadvisedBeans(beanFactory, advisor);
		this.adviceOrder = new AdviceOrderCheck(beanFactory, advisor, this::warn);
		this.lockClients = new LockClientCheck(beanFactory, advisor.clients());
	}

	void setFailOnMissingAdvice(boolean failOnMissingAdvice) {
		this.failOnMissingAdvice = failOnMissingAdvice;
	}

	void setHoldLimits(Function<@Nullable String, Optional<HoldLimit>> holdLimits) {
		this.holdLimits = holdLimits;
	}

	/**
	 * Checks methods. Logs what may be intended at WARN, once.
	 * @param methods the methods
	 * @throws InvalidDistributedLockException if some of them could not be locked; it
	 * names the problems of all
	 */
	void check(Collection<AnnotatedMethod> methods) {
		// By message: two beans of one class have one mistake.
		Map<String, InvalidDistributedLockException> problems = new LinkedHashMap<>();
		for (AnnotatedMethod method : methods) {
			try {
				check(method);
			}
			catch (InvalidDistributedLockException ex) {
				problems.putIfAbsent(String.valueOf(ex.getMessage()), ex);
			}
		}
		if (!problems.isEmpty()) {
			throw InvalidDistributedLockException.of(List.copyOf(problems.values()));
		}
	}

	private void check(AnnotatedMethod method) {
		InvalidDistributedLockException missing = this.unadvised.find(method);
		if (missing != null) {
			report(missing);
			return;
		}
		LockDefinition definition = this.definitions.get(method.method(), method.beanClass());
		checkDefaultName(definition);
		checkJobName(definition);
		checkVisibility(method);
		checkLifecycle(method);
		this.adviceOrder.check(method);
		this.lockClients.check(method, definition);
		checkHoldLimit(definition);
		checkSchedule(method, definition);
		checkAsynchronousJob(method, definition);
	}

	private void report(InvalidDistributedLockException missing) {
		if (this.unadvised.isExpected()) {
			logger.debug("A test replaces beans of this context: {}", missing.getMessage());
		}
		else if (this.failOnMissingAdvice) {
			throw missing;
		}
		else {
			warn(missing);
		}
	}

	private void warn(InvalidDistributedLockException problem) {
		String message = String.valueOf(problem.getMessage());
		if (this.warnings.add(message)) {
			logger.warn(message);
		}
	}

	/** No two methods share a lock because their classes and they have the same names. */
	private void checkDefaultName(LockDefinition definition) {
		if (definition.named()) {
			return;
		}
		String other = this.defaultNames.putIfAbsent(definition.name(), definition.location());
		if (other != null && !other.equals(definition.location())) {
			throw new InvalidDistributedLockException(definition.location(), "name", "its default \""
					+ definition.name() + "\" is that of " + other + ", too; give at least one of them a name", null);
		}
	}

	/**
	 * The runs of a job are found by its name, and those of two methods with one lock
	 * would refuse each other.
	 */
	private void checkJobName(LockDefinition definition) {
		if (definition.job() == null) {
			return;
		}
		String other = this.jobs.putIfAbsent(definition.name(), definition.location());
		if (other != null && !other.equals(definition.location())) {
			throw new InvalidDistributedLockException(definition.location(), "name",
					"the job " + other + " has the name \"" + definition.name() + "\", too, so that neither locks nor "
							+ "meters could distinguish their runs; give each job a name",
					null);
		}
	}

	/**
	 * Refuses an annotated bean of which there can be no proxy, before the attempt to
	 * make one fails with a stack trace.
	 * @param beanName the bean
	 * @param bean the bean without a proxy
	 * @throws InvalidDistributedLockException if its class is final
	 */
	void checkClass(String beanName, Object bean) {
		Class<?> type = bean.getClass();
		if (Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)) {
			AnnotatedMethods.of(beanName, bean)
				.stream()
				.findFirst()
				.filter(this::isProxiedByClass)
				.ifPresent((first) -> {
					throw unlocked(first, "the proxy cannot extend a final class or a record",
							"Remove 'final', or move the method to a class that is not");
				});
		}
	}

	private boolean isProxiedByClass(AnnotatedMethod annotated) {
		return this.beanFactory.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
			.isProxyTargetClass() || ClassUtils.getAllInterfacesForClass(annotated.beanClass()).length == 0;
	}

	/** A proxy can put the advice before the method. */
	private static void checkVisibility(AnnotatedMethod annotated) {
		Method method = annotated.method();
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw unlocked(
					annotated, "no proxy can stand before a "
							+ (Modifier.isStatic(method.getModifiers()) ? "static" : "private") + " method",
					"Annotate a method that other beans call");
		}
		Object bean = annotated.bean();
		if (Modifier.isFinal(method.getModifiers()) && !(bean != null && Proxy.isProxyClass(bean.getClass()))) {
			throw unlocked(annotated, "the proxy cannot override a final method", "Remove 'final'");
		}
		if (bean != null && AopUtils.isCglibProxy(bean) && !isVisible(method, bean.getClass())) {
			throw unlocked(annotated,
					"the proxy cannot override a package-private method of another package or class loader",
					"Make it protected or public");
		}
	}

	private static InvalidDistributedLockException unlocked(AnnotatedMethod annotated, String why, String remedy) {
		return new InvalidDistributedLockException(annotated.location(), null,
				why + ", so it would run without the lock. " + remedy, null);
	}

	private static boolean isVisible(Method method, Class<?> proxyClass) {
		Class<?> declaring = method.getDeclaringClass();
		return Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers())
				|| (declaring.getClassLoader() == proxyClass.getClassLoader()
						&& declaring.getPackageName().equals(proxyClass.getPackageName()));
	}

	/**
	 * The container does not call the method itself: it calls the bean's own methods of
	 * initialization and destruction behind the proxy, and so without the lock.
	 */
	private void checkLifecycle(AnnotatedMethod annotated) {
		if (annotated.method().getParameterCount() == 0 && isCallback(annotated)) {
			throw new InvalidDistributedLockException(annotated.location(), null,
					"the container calls it when it initializes or destroys bean '" + annotated.beanName()
							+ "', behind the proxy, so that it would run without the lock. Use a LockTemplate in it, or "
							+ "let it call a locked method of another bean; if the annotation is on the class, put it on "
							+ "the methods instead",
					null);
		}
	}

	private boolean isCallback(AnnotatedMethod annotated) {
		Method method = annotated.method();
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return LIFECYCLE_ANNOTATIONS.stream().anyMatch(annotations::isPresent)
				|| implementsMethod(annotated, InitializingBean.class, "afterPropertiesSet")
				|| implementsMethod(annotated, DisposableBean.class, "destroy") || isNamedByTheDefinition(annotated);
	}

	private static boolean implementsMethod(AnnotatedMethod annotated, Class<?> type, String name) {
		return type.isAssignableFrom(annotated.beanClass()) && annotated.method().getName().equals(name);
	}

	private boolean isNamedByTheDefinition(AnnotatedMethod annotated) {
		if (!this.beanFactory.containsBeanDefinition(annotated.beanName())) {
			return false;
		}
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(annotated.beanName());
		return Stream.of(definition.getInitMethodName(), definition.getDestroyMethodName())
			.anyMatch(annotated.method().getName()::equals);
	}

	/** A client refuses every call that holds its lock for longer than it allows. */
	private void checkHoldLimit(LockDefinition definition) {
		if (definition.holdAtMost() != null) {
			return;
		}
		Duration holdAtLeast = definition.holdAtLeast();
		this.holdLimits.apply(definition.lockClient())
			.filter((limit) -> holdAtLeast.compareTo(limit.holdAtMost()) > 0)
			.ifPresent((limit) -> {
				throw new InvalidDistributedLockException(definition.location(), "holdAtLeast",
						"it is " + text(holdAtLeast) + ", but " + limit.property() + " is " + text(limit.holdAtMost())
								+ ", so that every call would fail. Set the property or the attribute 'holdAtMost' to "
								+ "at least " + text(holdAtLeast) + ", or give a shorter holdAtLeast",
						null);
			});
	}

	/** As properties and annotations give it, in the largest unit that is exact. */
	private static String text(Duration duration) {
		return Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS, ChronoUnit.MILLIS)
			.filter((unit) -> duration.toNanos() % unit.getDuration().toNanos() == 0)
			.findFirst()
			.map((unit) -> DurationStyle.SIMPLE.print(duration, unit))
			.orElseGet(duration::toString);
	}

	/**
	 * Every node schedules the method. A plain lock keeps two nodes from running it at
	 * the same time, and a job from running once for each node only if it is held for
	 * longer than their clocks differ.
	 */
	private void checkSchedule(AnnotatedMethod annotated, LockDefinition definition) {
		List<MergedAnnotation<Scheduled>> schedules = MergedAnnotations.from(annotated.method(), SearchStrategy.DIRECT)
			.stream(Scheduled.class)
			.toList();
		if (definition.job() != null) {
			checkSchedulingIsEnabled(definition);
		}
		else if (AnnotatedElementUtils.hasAnnotation(annotated.method(), ScheduledLock.class)) {
			if (schedules.stream().noneMatch(this::isDisabled)) {
				logger.info("{} has @ScheduledLock, but no schedule by @Scheduled: its calls have a plain lock, and "
						+ "the others are skipped", definition.location());
			}
		}
		else if (definition.holdAtLeast().isZero() && schedules.stream().anyMatch(this::isRepeated)) {
			warn(new InvalidDistributedLockException(definition.location(), null,
					"@Scheduled starts it on every node, and its lock lets them run it one after the other. Use "
							+ "@ScheduledLock, which runs each tick on one node, or onBusy = OnBusy.SKIP with a "
							+ "holdAtLeast of more than the clocks can differ and less than the time between two runs, "
							+ "such as 30s",
					null));
		}
	}

	private void checkSchedulingIsEnabled(LockDefinition definition) {
		if (this.beanFactory.getBeanNamesForType(ScheduledTaskHolder.class, true, false).length == 0
				&& this.warnings.add(ScheduledTaskHolder.class.getName())) {
			logger.warn("{} and other methods with @ScheduledLock are not started, because scheduling is not enabled "
					+ "on this node: add @EnableScheduling to a configuration class", definition.location());
		}
	}

	/**
	 * The advice does not recognize the scheduler's call in the thread of an executor.
	 */
	private void checkAsynchronousJob(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.job() != null && definition.holdAtLeast().equals(Duration.ZERO)
				&& this.adviceOrder.isOutside(AsyncExecutionInterceptor.class, annotated)) {
			warn(new InvalidDistributedLockException(definition.location(), null,
					"@Async moves the scheduler's calls to another thread, so that they have a plain lock and no ticks: "
							+ "a node whose clock is behind runs a short job again, and a crashed run is not run again. "
							+ "Remove @Async and let the scheduler have enough threads, or use @DistributedLock with a "
							+ "holdAtLeast of more than the clocks can differ",
					null));
		}
	}

	private boolean isRepeated(MergedAnnotation<Scheduled> scheduled) {
		return !isDisabled(scheduled)
				&& Stream.of("cron", "fixedRate", "fixedRateString", "fixedDelay", "fixedDelayString")
					.anyMatch(scheduled::hasNonDefaultValue);
	}

	private boolean isDisabled(MergedAnnotation<Scheduled> scheduled) {
		String cron = new EmbeddedValueResolver(this.beanFactory).resolveStringValue(scheduled.getString("cron"));
		return cron != null && cron.strip().equals(Scheduled.CRON_DISABLED);
	}

}
