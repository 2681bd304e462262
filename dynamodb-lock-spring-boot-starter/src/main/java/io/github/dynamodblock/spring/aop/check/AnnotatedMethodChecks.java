/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.aop.invocation.JobShutdown;
import org.aopalliance.aop.Advice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.util.ClassUtils;

/**
 * Finds mistakes that would silently let methods run without their locks or their
 * guarantees. Thread-safe, because several threads may create beans.
 */
final class AnnotatedMethodChecks {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethodChecks.class);

	// By name, because spring-test is optional. It registers this bean if a test replaces
	// beans, such as with @MockitoBean or @TestBean, and it knows their names. The
	// replacements get no advice and are not locked.
	private static final String BEAN_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.interceptor.TransactionAspectSupport",
			AnnotatedMethodChecks.class.getClassLoader());

	private static final int NOT_PROXIED = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;

	private static final List<String> REPETITIONS = List.of("cron", "fixedRate", "fixedRateString", "fixedDelay",
			"fixedDelayString");

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean failOnMissingAdvice;

	private final DistributedLockAdvisor advisor;

	/** The first method with each name. */
	private final Map<String, Method> names = new ConcurrentHashMap<>();

	/** The first definition by client, name, and whether it has a key. */
	private final Map<List<Object>, LockDefinition> permits = new ConcurrentHashMap<>();

	/** The beans of jobs without a key, by name. */
	private final Map<String, String> jobs = new ConcurrentHashMap<>();

	private final Set<String> warnings = ConcurrentHashMap.newKeySet();

	AnnotatedMethodChecks(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor,
			boolean failOnMissingAdvice) {
		this.beanFactory = beanFactory;
		this.failOnMissingAdvice = failOnMissingAdvice;
		this.advisor = advisor;
	}

	/**
	 * Checks methods. Problems that may be intended are logged once, at WARN.
	 * @param methods the methods
	 * @throws InvalidDistributedLockException if some of them could not be locked; it
	 * lists the problems of all
	 */
	void check(Collection<AnnotatedMethod> methods) {
		// By message, because two beans of the same class have the same mistake.
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

	/**
	 * Checks an object in a circular reference, whose proxy was created before it was
	 * initialized. Spring's scheduler calls the object itself.
	 * @param methods the annotated methods of the object
	 * @throws InvalidDistributedLockException if Spring schedules one of them
	 */
	void checkUnproxied(Collection<AnnotatedMethod> methods) {
		for (AnnotatedMethod method : methods) {
			if (!method.advisors().contains(this.advisor)
					&& schedules(method.method()).anyMatch((scheduled) -> !isDisabled(scheduled))) {
				InvalidDistributedLockException problem = method.invalid("bean '" + method.beanName()
						+ "' is part of a circular reference, so @Scheduled would call it without its proxy, on every "
						+ "node and without the lock. Break the circle: inject one of its beans with @Lazy or "
						+ "ObjectProvider, or move the method to a separate bean");
				if (this.failOnMissingAdvice) {
					throw problem;
				}
				warn(problem);
			}
		}
	}

	private void check(AnnotatedMethod method) {
		if (isAdviceMissing(method)) {
			reportMissingAdvice(method);
			return;
		}
		LockDefinition definition = this.advisor.definitions().get(method.method(), method.beanClass());
		checkName(method, definition);
		checkPermits(definition);
		checkJob(method, definition);
		checkVisibility(method);
		checkLifecycle(method);
		checkTransaction(method);
		checkClient(method, definition);
		checkSchedule(method, definition);
	}

	private boolean isAdviceMissing(AnnotatedMethod method) {
		return method.complete() && !method.advisors().contains(this.advisor) && !isProxyBehind(method);
	}

	/** Returns whether a post-processor has put an opaque proxy around Spring's proxy. */
	private boolean isProxyBehind(AnnotatedMethod method) {
		return Proxy.isProxyClass(method.bean().getClass()) && !AopUtils.isAopProxy(method.bean())
				&& this.beanFactory.containsBeanDefinition(method.beanName())
				&& this.beanFactory.getMergedBeanDefinition(method.beanName())
					.hasAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
	}

	private void reportMissingAdvice(AnnotatedMethod method) {
		InvalidDistributedLockException missing = method.invalid("bean '" + method.beanName()
				+ "' was created without the lock advice, so the method would run without the lock. If another bean, "
				+ "often a BeanPostProcessor, needs it too early during startup, inject it there with ObjectProvider "
				+ "or @Lazy. If it was registered as an existing object, register a bean definition instead. If it "
				+ "is part of Spring's AOP infrastructure, move the method to a separate bean");
		if (isReplacedByTest(method.beanName())) {
			logger.debug("A test replaces this bean: {}", missing.getMessage());
		}
		else if (this.failOnMissingAdvice) {
			throw missing;
		}
		else {
			warn(missing);
		}
	}

	private boolean isReplacedByTest(String beanName) {
		Object overrides = this.beanFactory.getSingleton(BEAN_OVERRIDES);
		return overrides != null
				&& new DirectFieldAccessor(overrides)
					.getPropertyValue("handlerToBeanNameMap") instanceof Map<?, ?> names
				&& names.containsValue(beanName);
	}

	/** Warns once about a mistake, even if its class has several beans. */
	private void warn(InvalidDistributedLockException problem) {
		String message = String.valueOf(problem.getMessage());
		if (this.warnings.add(message)) {
			logger.warn(message);
		}
	}

	/**
	 * Checks that names are unique. Jobs with the same name would refuse each other's
	 * runs, and methods must not share a lock only because they have the same default
	 * name.
	 */
	private void checkName(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.named() && definition.schedule() == null) {
			return;
		}
		Method other = this.names.putIfAbsent(definition.name(), annotated.method());
		if (other != null && !other.equals(annotated.method())) {
			throw new InvalidDistributedLockException(definition.location(), "name",
					"\"" + definition.name() + "\" is also the name of "
							+ LockDefinitions.describe(other, other.getDeclaringClass()) + "; give each its own name",
					null);
		}
	}

	/**
	 * Checks that all methods with the same locks have the same number of permits.
	 * Otherwise they would not exclude each other.
	 */
	private void checkPermits(LockDefinition definition) {
		LockDefinition other = this.permits.putIfAbsent(
				List.of(this.advisor.selection().client(definition), definition.name(), definition.key() != null),
				definition);
		int permits = definition.request().permits();
		if (other != null && other.request().permits() != permits) {
			throw new InvalidDistributedLockException(definition.location(), "permits",
					"\"" + permits + "\" differs from the \"" + other.request().permits() + "\" of " + other.location()
							+ ", which has the same name, so the two would not limit each other. Set the same number, "
							+ "or give each its own name",
					null);
		}
	}

	/**
	 * Checks that no other bean has the same job, because the two would refuse each
	 * other's ticks.
	 */
	private void checkJob(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.schedule() != null && definition.key() == null) {
			String other = this.jobs.putIfAbsent(definition.name(), annotated.beanName());
			if (other != null && !other.equals(annotated.beanName())) {
				throw annotated.invalid("the beans '" + other + "' and '" + annotated.beanName()
						+ "' have this job, so each tick would run on only one of them. Define one bean, or set a key that differs "
						+ "between the beans, such as key = \"#root.target.region\"");
			}
		}
	}

	/** Checks that Spring can create a proxy of a class with annotated methods. */
	void checkClass(Class<?> type) {
		if (Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)
				&& (hasClassProxies() || ClassUtils.getAllInterfacesForClass(type).length == 0)) {
			for (Method method : this.advisor.definitions().loadableMethods(type)) {
				throw new InvalidDistributedLockException(LockDefinitions.describe(method, type), null,
						"the class is final, as records and Kotlin classes are by default, so no proxy can lock the "
								+ "method. Make the class non-final, or move the method to another bean",
						null);
			}
		}
	}

	private boolean hasClassProxies() {
		return this.beanFactory.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
				&& this.beanFactory.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig config
				&& config.isProxyTargetClass();
	}

	/** Checks that a proxy can override the method. */
	private static void checkVisibility(AnnotatedMethod annotated) {
		Method method = annotated.method();
		Class<?> proxyClass = annotated.bean().getClass();
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())
				|| (Modifier.isFinal(method.getModifiers()) && !Proxy.isProxyClass(proxyClass))
				|| (AopUtils.isCglibProxy(annotated.bean()) && !isVisible(method, proxyClass))) {
			String modifiers = Modifier.toString(method.getModifiers() & NOT_PROXIED);
			throw annotated.invalid("the proxy cannot override it because it is "
					+ (modifiers.isEmpty() ? "package-private in another package or class loader" : modifiers)
					+ ", so it would run without the lock. Annotate a public or protected method that is neither "
					+ "static nor final");
		}
	}

	private static boolean isVisible(Method method, Class<?> proxyClass) {
		Class<?> declaring = method.getDeclaringClass();
		return Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers())
				|| (declaring.getClassLoader() == proxyClass.getClassLoader()
						&& declaring.getPackageName().equals(proxyClass.getPackageName()));
	}

	/**
	 * Checks that the method is not a lifecycle callback, which the container would call
	 * without the proxy and the lock.
	 */
	private void checkLifecycle(AnnotatedMethod annotated) {
		if (annotated.method().getParameterCount() == 0 && isCallback(annotated)) {
			throw annotated.invalid("Spring calls it as an initialization or destruction callback of bean '"
					+ annotated.beanName() + "', bypassing the proxy, so it would run without the lock. Use a "
					+ "LockTemplate in it, or call a locked method of another bean from it; if the annotation is on "
					+ "the class, annotate the methods instead");
		}
	}

	private boolean isCallback(AnnotatedMethod annotated) {
		String name = annotated.method().getName();
		if (this.beanFactory.containsBeanDefinition(annotated.beanName()) && this.beanFactory
			.getMergedBeanDefinition(annotated.beanName()) instanceof RootBeanDefinition definition) {
			// A post-processor manages the annotated callbacks.
			if (name.equals(definition.getInitMethodName()) || definition.isExternallyManagedInitMethod(name)
					|| name.equals(definition.getDestroyMethodName())
					|| definition.isExternallyManagedDestroyMethod(name)) {
				return true;
			}
		}
		return (annotated.bean() instanceof InitializingBean && name.equals("afterPropertiesSet"))
				|| (annotated.bean() instanceof DisposableBean && name.equals("destroy"));
	}

	/**
	 * Checks that the lock is outside the method's transaction. A transaction that begins
	 * outside the lock commits after the release, when the next owner may already have
	 * read the old data.
	 */
	private void checkTransaction(AnnotatedMethod annotated) {
		outside(annotated).filter((candidate) -> isTransactional(candidate.getAdvice()))
			.findFirst()
			.ifPresent((transaction) -> {
				int order = (transaction instanceof Ordered ordered) ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
				throw outside(annotated, order);
			});
	}

	private static boolean isTransactional(Advice advice) {
		return TRANSACTIONS && advice instanceof TransactionAspectSupport;
	}

	private InvalidDistributedLockException outside(AnnotatedMethod annotated, int order) {
		int lockOrder = this.advisor.getOrder();
		String remedy = (order > lockOrder)
				? "The order values are correct, but a proxy or BeanPostProcessor that ignores them puts the "
						+ "transaction advice outside. Declare that advice as an Advisor bean instead"
				: "Set dynamodb-lock.advice.order to less than " + order
						+ ", or the order of @EnableTransactionManagement to more than " + lockOrder;
		return annotated.invalid("on bean '" + annotated.beanName() + "', the transaction advice (order " + order
				+ ") runs outside the lock advice (order " + lockOrder
				+ "), so the transaction would commit after the lock is released. " + remedy);
	}

	/** Returns the advisors that a call of the method meets before the lock. */
	private Stream<Advisor> outside(AnnotatedMethod annotated) {
		return annotated.advisors()
			.stream()
			.limit(Math.max(0, annotated.advisors().indexOf(this.advisor)))
			.filter((candidate) -> candidate instanceof PointcutAdvisor advice
					&& advice.getPointcut().getClassFilter().matches(annotated.beanClass())
					&& advice.getPointcut().getMethodMatcher().matches(annotated.method(), annotated.beanClass()));
	}

	/**
	 * Checks that there is a client, and that it accepts the hold times. Lets the
	 * container destroy the client after the beans with locked methods, so these can end
	 * their work under their locks.
	 */
	private void checkClient(AnnotatedMethod annotated, LockDefinition definition) {
		LockClient client = this.advisor.selection().client(definition);
		LockRequest request = definition.request();
		Optional<Duration> limit = request.holdAtMost().or(client::holdAtMost);
		if (limit.filter((most) -> most.compareTo(request.holdAtLeast()) < 0).isPresent()) {
			throw new InvalidDistributedLockException(definition.location(), "holdAtLeast",
					"it is " + LogText.of(request.holdAtLeast()) + ", longer than holdAtMost ("
							+ LogText.of(limit.get())
							+ "); shorten it, or set a longer holdAtMost (default: dynamodb-lock.hold-at-most)",
					null);
		}
		for (String name : this.beanFactory.getBeanNamesForType(LockClient.class, true, false)) {
			if (this.beanFactory.containsSingleton(name) && this.beanFactory.getBean(name) == client) {
				destroyBefore(name, annotated.beanName());
			}
		}
	}

	private void destroyBefore(String client, String beanName) {
		// If the client depends on the bean, such as on an annotated listener, the bean
		// outlives the client.
		if (this.beanFactory.containsBean(beanName) && this.beanFactory.isSingleton(beanName)) {
			JobShutdown.destroyBefore(this.beanFactory, beanName, client);
		}
	}

	/**
	 * Warns about scheduled methods with a plain lock. Such a lock keeps two nodes from
	 * running the method at the same time. But unless it is held for longer than the
	 * nodes' clocks differ, all nodes can run the same tick one after the other.
	 */
	private void checkSchedule(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.job() == null && schedules(annotated.method()).noneMatch(this::isDisabled)
				&& LockDefinitions.isScheduledLock(annotated.method())) {
			warn(annotated.invalid("@Scheduled has neither cron, fixedRate nor fixedDelay, so @ScheduledLock has no "
					+ "ticks: every node runs the method, one after another, and a crashed run is not rerun. Set one of "
					+ "them, or use @DistributedLock"));
		}
		if (definition.schedule() == null && definition.request().holdAtLeast().isZero()
				&& isScheduled(annotated.method())) {
			warn(annotated.invalid("@Scheduled starts it on every node, and its lock only makes the nodes run it one "
					+ "after another. Use @ScheduledLock, which runs each tick on one node, or use onBusy = "
					+ "OnBusy.SKIP with a holdAtLeast that is longer than the clocks can differ and shorter than "
					+ "the time between two runs, such as 30s"));
		}
		if (definition.job() != null
				&& outside(annotated).anyMatch((advisor) -> advisor.getAdvice() instanceof AsyncExecutionInterceptor)) {
			warn(annotated.invalid("@Async moves the scheduler's calls to another thread, where @ScheduledLock cannot "
					+ "track ticks: a node whose clock is behind runs a short job again, and a crashed run is not "
					+ "rerun. Remove @Async and give the scheduler enough threads, or use @DistributedLock with a "
					+ "holdAtLeast that is longer than the clocks can differ"));
		}
	}

	/** Returns whether Spring starts the method repeatedly. */
	private boolean isScheduled(Method method) {
		return schedules(method).anyMatch(
				(scheduled) -> REPETITIONS.stream().anyMatch(scheduled::hasNonDefaultValue) && !isDisabled(scheduled));
	}

	private static Stream<MergedAnnotation<Scheduled>> schedules(Method method) {
		return MergedAnnotations.from(method).stream(Scheduled.class);
	}

	private boolean isDisabled(MergedAnnotation<Scheduled> scheduled) {
		return Scheduled.CRON_DISABLED.equals(this.beanFactory.resolveEmbeddedValue(scheduled.getString("cron")));
	}

}
