/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Turns the annotations of one method into a {@link LockDefinition}, or reports what is
 * wrong with them. A reader serves one method.
 */
final class LockDefinitionReader {

	private static final LockRequest ANY_LOCK = LockRequest.of("any");

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private static final boolean SUSPEND_FUNCTIONS_RUN = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			LockDefinitionReader.class.getClassLoader());

	private final ConfigurableBeanFactory beanFactory;

	private final DistributedLock annotation;

	private final Method method;

	private final Class<?> beanClass;

	private final String location;

	/**
	 * Creates a reader for one method.
	 * @param beanFactory resolves placeholders and beans in expressions
	 * @param annotation the annotation that applies to the method
	 * @param method the method of the bean's class
	 * @param targetClass the class of the bean behind any proxy
	 */
	LockDefinitionReader(ConfigurableBeanFactory beanFactory, DistributedLock annotation, Method method,
			Class<?> targetClass) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
		this.method = method;
		this.beanClass = ClassUtils.getUserClass(targetClass);
		this.location = LockDefinitions.describe(method, targetClass);
	}

	LockDefinition read() {
		refuseSeveralAnnotations();
		ReturnKind returnKind = returnKind();
		OnBusy onBusy = this.annotation.onBusy();
		if (onBusy == OnBusy.SKIP) {
			refusePrimitive();
		}
		ScheduledLock scheduled = scheduledLock();
		return new LockDefinition(this.location, name(), !this.annotation.name().isEmpty(), key(), onBusy, returnKind,
				EMPTY.get(this.method.getReturnType()), fallback(), this.annotation.onLost(), lockClient(), options(),
				(scheduled != null) ? job(scheduled) : null);
	}

	/** Returns what the annotation sets in the request for a lock. */
	private UnaryOperator<LockRequest> options() {
		int permits = permits();
		boolean awaitSilentOwner = this.annotation.awaitSilentOwner();
		boolean skips = this.annotation.onBusy() == OnBusy.SKIP;
		List<UnaryOperator<LockRequest>> durations = List.of(
				duration("waitTime", this.annotation.waitTime(), LockRequest::waitTime),
				duration("leaseDuration", this.annotation.leaseDuration(), LockRequest::leaseDuration),
				duration("holdAtLeast", this.annotation.holdAtLeast(), LockRequest::holdAtLeast),
				duration("holdAtMost", this.annotation.holdAtMost(), LockRequest::holdAtMost));
		return (plain) -> {
			LockRequest request = plain.permits(permits).awaitSilentOwner(awaitSilentOwner);
			if (skips) {
				request = request.waitTime(Duration.ZERO);
			}
			for (UnaryOperator<LockRequest> duration : durations) {
				request = duration.apply(request);
			}
			return request;
		};
	}

	/** Returns the annotation that applies if it is a {@link ScheduledLock}. */
	private @Nullable ScheduledLock scheduledLock() {
		return LockDefinitions.isScheduledLock(this.method)
				? MergedAnnotations.from(this.method, SearchStrategy.TYPE_HIERARCHY)
					.get(ScheduledLock.class)
					.synthesize()
				: null;
	}

	private void refuseSeveralAnnotations() {
		List<String> annotations = MergedAnnotations.from(this.method, SearchStrategy.DIRECT)
			.stream(DistributedLock.class)
			.map((merged) -> "@" + merged.getRoot().getType().getSimpleName())
			.toList();
		if (annotations.size() > 1) {
			throw invalid(null, "it has " + String.join(" and ", annotations) + ", but only one would apply; keep one");
		}
	}

	private ReturnKind returnKind() {
		ReturnKind kind = ReturnKind.of(this.method);
		if (kind == ReturnKind.SUSPEND && !SUSPEND_FUNCTIONS_RUN) {
			throw invalid(null, "Spring applies advice to suspend functions through Reactor, which is not on the class "
					+ "path; add org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
		}
		if (kind == null) {
			throw invalid(null, "it returns " + ReturnKind.declaredType(this.method).getSimpleName()
					+ ", so its work may continue after the method returns and the lock is released. Return "
					+ "CompletableFuture, CompletionStage, Mono or Flux, return a collection instead of a "
					+ "stream, use a suspend function, or annotate a method that returns when the work is done");
		}
		return kind;
	}

	private void refusePrimitive() {
		Class<?> type = ReturnKind.declaredType(this.method);
		// In the Java signature of a suspend function, Kotlin's Int and Int? are both
		// Integer; Unit is void.
		boolean primitive = KotlinDetector.isSuspendingFunction(this.method)
				? ClassUtils.isPrimitiveOrWrapper(type) && !new MethodParameter(this.method, -1).isOptional()
				: type.isPrimitive();
		if (primitive && type != void.class) {
			throw invalid(null,
					"a skipped call cannot return a value of type " + type.getSimpleName()
							+ "; return a type that can be "
							+ "null, such as Integer (in Kotlin, Int?), or Optional, or use @DistributedLock with "
							+ "OnBusy.THROW");
		}
	}

	private @Nullable Fallback fallback() {
		String name = this.annotation.fallback();
		if (this.annotation.onBusy() != OnBusy.FALLBACK) {
			if (!name.isEmpty()) {
				throw invalid("fallback", "\"" + name + "\" is never called, because onBusy is "
						+ this.annotation.onBusy() + "; set onBusy = OnBusy.FALLBACK, or remove it");
			}
			return null;
		}
		Fallback fallback = Fallback.find(name, this.method, this.beanClass);
		if (fallback == null) {
			String types = Arrays.stream(this.method.getParameterTypes())
				.map(Class::getSimpleName)
				.collect(Collectors.joining(", "));
			throw invalid("fallback",
					"\"" + name + "\" must be another method of " + this.beanClass.getName() + " that takes (" + types
							+ ") or (" + types + (types.isEmpty() ? "" : ", ") + "LockNotGrantedException), returns "
							+ ReturnKind.declaredType(this.method).getSimpleName() + ", and has no lock annotation");
		}
		return fallback;
	}

	private @Nullable String lockClient() {
		String name = resolve("lockClient", this.annotation.lockClient()).strip();
		return name.isEmpty() ? null : name;
	}

	private int permits() {
		String value = resolve("permits", this.annotation.permits()).strip();
		try {
			return ANY_LOCK.permits(Integer.parseInt(value)).permits();
		}
		catch (IllegalArgumentException ex) {
			throw invalid("permits", "\"" + value + "\" is not a number of permits; use a whole number from 1 to 100",
					ex);
		}
	}

	private String name() {
		String given = this.annotation.name();
		String name = given.isEmpty() ? this.beanClass.getSimpleName() + "." + this.method.getName()
				: resolve("name", given);
		if (given.isEmpty() && (this.beanClass.getSimpleName().isEmpty() || this.beanClass.isHidden()
				|| this.beanClass.isSynthetic() || Proxy.isProxyClass(this.beanClass))) {
			throw invalid("name", "an anonymous class has no name, and a lambda or other class generated at run time "
					+ "has a different name on each node, so nodes would not exclude each other; set a name");
		}
		if (name.isBlank()) {
			throw invalid("name", "\"" + given + "\" is blank; set a name, or omit the attribute to use the default");
		}
		Matcher expression = expression().matcher(name);
		if (expression.find()) {
			throw invalid("name",
					"\"" + name + "\" is literal text: " + expression.group().replace("{", "{...}")
							+ " is not evaluated, so all calls would share one lock; put the expression in the "
							+ "attribute 'key', such as key = \"#id\"");
		}
		if (name.indexOf(':') >= 0) {
			throw invalid("name", "\"" + name + "\" contains a colon, which separates name and key in the lock table; "
					+ "use another character");
		}
		return name;
	}

	/** Returns a pattern of expressions that belong in {@link DistributedLock#key()}. */
	private Pattern expression() {
		return Arrays.stream(this.method.getParameters())
			.map((parameter) -> "|" + Pattern.quote(parameter.getName()) + "\\b")
			.collect(Collectors.collectingAndThen(Collectors.joining("", "#(\\{|root\\b|[ap]\\d+\\b", ")"),
					Pattern::compile));
	}

	private @Nullable KeyExpression key() {
		String expression = this.annotation.key();
		return expression.isEmpty() ? null
				: new KeyExpression(expression, this.method, this.location, this.beanFactory);
	}

	/**
	 * Returns the job, or {@code null} if it is disabled or Spring does not schedule the
	 * method repeatedly.
	 */
	private @Nullable JobDefinition job(ScheduledLock lock) {
		if (lock.attempts() < 1) {
			throw invalid("attempts", "it is " + lock.attempts() + ", so the job would never run; set at least 1");
		}
		List<MergedAnnotation<Scheduled>> annotations = schedules();
		List<JobDefinition> jobs = annotations.stream()
			.flatMap((scheduled) -> Stream.ofNullable(schedule(scheduled))
				.map((schedule) -> new JobDefinition(schedule, lock.attempts(), lock.onMissed(),
						scheduled.getString("scheduler"))))
			.toList();
		if (jobs.size() > 1) {
			throw invalid(null, "it has several @Scheduled annotations, but the job's record cannot distinguish "
					+ "their runs; use a separate method for each");
		}
		if (annotations.isEmpty()) {
			return new JobDefinition(null, lock.attempts(), lock.onMissed(), "");
		}
		JobDefinition job = jobs.isEmpty() ? null : jobs.get(0);
		if (lock.onMissed() == OnMissed.RUN_ONCE && ((job != null) ? !(job.schedule() instanceof JobSchedule.Cron)
				: annotations.stream().noneMatch(this::isDisabled))) {
			throw invalid("onMissed", "RUN_ONCE needs @Scheduled with a cron expression, because otherwise missed "
					+ "ticks are unknown; use a cron expression, or SKIP");
		}
		return job;
	}

	private List<MergedAnnotation<Scheduled>> schedules() {
		// Spring ignores the annotations of overridden methods and of interfaces.
		return MergedAnnotations.from(this.method, SearchStrategy.DIRECT).stream(Scheduled.class).toList();
	}

	private boolean isDisabled(MergedAnnotation<Scheduled> scheduled) {
		return evaluated(scheduled.getString("cron")).equals(Scheduled.CRON_DISABLED);
	}

	private @Nullable JobSchedule schedule(MergedAnnotation<Scheduled> scheduled) {
		try {
			String cron = evaluated(scheduled.getString("cron"));
			if (!cron.isEmpty()) {
				return cron.equals(Scheduled.CRON_DISABLED) ? null : cron(cron, evaluated(scheduled.getString("zone")));
			}
			Duration rate = period(scheduled, "fixedRate");
			if (rate != null) {
				return JobSchedule.fixedRate(rate);
			}
			Duration delay = period(scheduled, "fixedDelay");
			return (delay != null) ? JobSchedule.fixedDelay(delay) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(null, "its @Scheduled is invalid: " + ex.getMessage(), ex);
		}
	}

	private JobSchedule cron(String expression, String zone) {
		TimeZone timeZone = zone.isEmpty() ? null : StringUtils.parseTimeZoneString(zone);
		return JobSchedule.cron(expression, (timeZone != null) ? timeZone.toZoneId() : ZoneId.systemDefault());
	}

	private @Nullable Duration period(MergedAnnotation<Scheduled> scheduled, String attribute) {
		Scheduled annotation = scheduled.synthesize();
		DurationFormat.Unit unit = DurationFormat.Unit.fromChronoUnit(annotation.timeUnit().toChronoUnit());
		long number = scheduled.getLong(attribute);
		if (number >= 0) {
			return Duration.of(number, annotation.timeUnit().toChronoUnit());
		}
		String text = evaluated(scheduled.getString(attribute + "String"));
		Duration duration = text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text, unit);
		return (duration == null || duration.isNegative()) ? null : duration;
	}

	/** Evaluates placeholders and expressions, as Spring does for its annotation. */
	private String evaluated(String text) {
		String resolved = new EmbeddedValueResolver(this.beanFactory).resolveStringValue(text);
		return (resolved != null) ? resolved.strip() : "";
	}

	private UnaryOperator<LockRequest> duration(String attribute, String text,
			BiFunction<LockRequest, Duration, LockRequest> option) {
		String value = resolve(attribute, text).strip();
		if (value.isEmpty()) {
			return UnaryOperator.identity();
		}
		Duration duration;
		try {
			// Boot reads a number without a unit as milliseconds.
			Assert.isTrue(!Character.isDigit(value.charAt(value.length() - 1)), "no unit");
			duration = DurationStyle.detectAndParse(value);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid(attribute, "\"" + value + "\" is not a duration; use a whole number with a unit, such as "
					+ "500ms, 5s, 2m, 1h or 1d, or an ISO-8601 duration such as PT5S", ex);
		}
		try {
			Objects.requireNonNull(option.apply(ANY_LOCK, duration));
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, "\"" + value + "\" is out of range: " + ex.getMessage(), ex);
		}
		return (request) -> option.apply(request, duration);
	}

	private String resolve(String attribute, String text) {
		IllegalArgumentException failure = null;
		String resolved = null;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			failure = ex;
		}
		if (resolved == null || resolved.contains("${")) {
			throw invalid(attribute, "\"" + text + "\" contains a placeholder without a value; set the property, or "
					+ "add a default, as in ${property:default}", failure);
		}
		return resolved;
	}

	private InvalidDistributedLockException invalid(@Nullable String attribute, String problem) {
		return invalid(attribute, problem, null);
	}

	private InvalidDistributedLockException invalid(@Nullable String attribute, String problem,
			@Nullable Throwable cause) {
		return new InvalidDistributedLockException(this.location, attribute, problem, cause);
	}

}
