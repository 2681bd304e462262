/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.OffsetDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;

import io.github.dynamodblock.Printable;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/**
 * The key expression of one method, parsed and checked. Thread-safe.
 */
public final class KeyExpression {

	// By name: JDBC need not be there.
	private static final Set<String> LOCAL_DATES = Set.of("java.sql.Date", "java.sql.Time");

	/** A key has 2,048 bytes at most. */
	private static final int MOST_ZEROS = 2048;

	private final Expression expression;

	private final Method method;

	private final String location;

	private final StandardEvaluationContext delegates;

	private final ParameterNameDiscoverer parameterNames;

	KeyExpression(Expression expression, Method method, String location, StandardEvaluationContext delegates,
			ParameterNameDiscoverer parameterNames) {
		this.expression = expression;
		this.method = method;
		this.location = location;
		this.delegates = delegates;
		this.parameterNames = parameterNames;
	}

	/**
	 * Evaluates the expression for one call.
	 * @param arguments the arguments of the call
	 * @param target the object that is called
	 * @return the key as text; for a collection or an array those of its elements, each
	 * once and in their natural order, so that all callers take them in one order; not
	 * empty, none blank
	 * @throws IllegalArgumentException if there is no such text
	 */
	public List<String> evaluate(@Nullable Object[] arguments, Object target) {
		KeyRoot root = new KeyRoot(this.method, arguments, target, target.getClass());
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, this.method, arguments,
				this.parameterNames);
		this.delegates.applyDelegatesTo(context);
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			throw unusable("cannot be evaluated for this call: " + Printable.of(String.valueOf(ex.getMessage())), ex);
		}
		if (value instanceof Collection<?> collection) {
			return texts(collection);
		}
		if (value != null && value.getClass().isArray()) {
			return texts(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return List.of(text(value, ""));
	}

	private List<String> texts(Collection<?> values) {
		if (values.isEmpty()) {
			throw unusable("is empty for this call; a lock needs a value", null);
		}
		return values.stream().map((value) -> text(value, "has an element that ")).distinct().sorted().toList();
	}

	private String text(@Nullable Object value, String subject) {
		if (value == null) {
			throw unusable(subject + "is null for this call; a lock needs a value", null);
		}
		if (!ClassUtils.isSimpleValueType(value.getClass())) {
			throw unusable(
					subject + "is a " + value.getClass().getTypeName() + ", which is not a simple value; name the "
							+ "property that identifies it, such as .id, or write .toString() if its text does",
					null);
		}
		String text = stableText(value);
		if (text.isBlank()) {
			throw unusable(subject + "is blank for this call; a lock needs a value", null);
		}
		return text;
	}

	/**
	 * A text that is the same on every node, whatever its time zone and its lookups, and
	 * for every value that means the same.
	 */
	@SuppressWarnings("JavaUtilDate") // callers choose what their keys are
	private static String stableText(Object value) {
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		// Of those of JDBC, only a time stamp is a point in time.
		if (value instanceof Date date && !LOCAL_DATES.contains(date.getClass().getName())) {
			return date.toInstant().toString();
		}
		if (value instanceof OffsetDateTime time) {
			return time.toInstant().toString();
		}
		if (value instanceof ChronoZonedDateTime<?> time) {
			return time.toInstant().toString();
		}
		if (value instanceof BigDecimal number) {
			return canonical(number);
		}
		if (value instanceof TimeZone zone) {
			return zone.getID();
		}
		return (value instanceof InetAddress address) ? address.getHostAddress() : value.toString();
	}

	/** Equal numbers have one text: 100.00 and 1E+2 are 100. */
	private static String canonical(BigDecimal number) {
		BigDecimal stripped = number.stripTrailingZeros();
		// 1E+999999999 would be a text of so many zeros.
		boolean plain = stripped.scale() > -MOST_ZEROS && stripped.scale() < MOST_ZEROS;
		return plain ? stripped.toPlainString() : stripped.toString();
	}

	private IllegalArgumentException unusable(String problem, @Nullable RuntimeException cause) {
		return new IllegalArgumentException("Lock annotation on " + this.location + ": the key \""
				+ this.expression.getExpressionString() + "\" " + problem, cause);
	}

}
