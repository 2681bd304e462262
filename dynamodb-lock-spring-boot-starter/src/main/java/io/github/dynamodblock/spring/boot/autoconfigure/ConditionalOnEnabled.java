/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches a property that switches something on. It is bound like
 * {@link DynamoDbLockProperties}, so {@code on}, {@code yes} and {@code 1} are true as
 * well, and a value that is no boolean fails startup. Boot's own condition treats these
 * values as neither true nor false, so methods would run without their locks.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Conditional(ConditionalOnEnabled.OnEnabled.class)
@interface ConditionalOnEnabled {

	/** The property, without the prefix {@code dynamodb-lock}. */
	String value() default "enabled";

	/** The value that matches. */
	boolean matching() default true;

	/** What the property is if it is not set. */
	boolean byDefault() default true;

	/** The condition. */
	class OnEnabled extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			MergedAnnotation<ConditionalOnEnabled> condition = metadata.getAnnotations()
				.get(ConditionalOnEnabled.class);
			String property = DynamoDbLockProperties.PREFIX + "." + condition.getString("value");
			boolean enabled = Binder.get(context.getEnvironment())
				.bind(property, Boolean.class)
				.orElse(condition.getBoolean("byDefault"));
			return new ConditionOutcome(enabled == condition.getBoolean("matching"),
					ConditionMessage.forCondition(ConditionalOnEnabled.class).because(property + " is " + enabled));
		}

	}

}
