/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless the embedded DynamoDB or all locks are switched off. The properties are
 * bound as the starter binds them, so {@code on}, {@code yes} and {@code 1} are true.
 */
class OnEnabledCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Binder binder = Binder.get(context.getEnvironment());
		Optional<String> off = Stream.of("dynamodb-lock.enabled", EmbeddedDynamoDbGuard.ENABLED)
			.filter((property) -> !binder.bind(property, Boolean.class).orElse(true))
			.findFirst();
		ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded DynamoDB");
		return new ConditionOutcome(off.isEmpty(),
				message.because(off.map((property) -> property + " is false").orElse("it is not switched off")));
	}

}
