/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless {@code dynamodb-lock.enabled} is false. Reads the property as its
 * binding does: a value like "off" must not mean one thing to a condition and another to
 * the next, for then methods would run unlocked in silence.
 */
class OnLocksEnabledCondition extends SpringBootCondition {

	private static final String PROPERTY = DynamoDbLockProperties.PREFIX + ".enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(context, true);
	}

	private static ConditionOutcome outcome(ConditionContext context, boolean wanted) {
		boolean enabled = Binder.get(context.getEnvironment()).bind(PROPERTY, Boolean.class).orElse(true);
		return new ConditionOutcome(enabled == wanted,
				ConditionMessage.forCondition("DynamoDB locks").because(PROPERTY + " is " + enabled));
	}

	/** Matches if {@code dynamodb-lock.enabled} is false. */
	static class Not extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return outcome(context, false);
		}

	}

}
