/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Matches if {@code dynamodb-lock.leader.role} is set to a text that is not blank.
 */
class OnLeaderRoleCondition extends SpringBootCondition {

	private static final String PROPERTY = PropertyValues.name("leader.role");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String role = context.getEnvironment().getProperty(PROPERTY);
		ConditionMessage.Builder message = ConditionMessage.forCondition("Leader election");
		return StringUtils.hasText(role) ? ConditionOutcome.match(message.because(PROPERTY + " is '" + role + "'"))
				: ConditionOutcome.noMatch(message.because(PROPERTY + " is not set"));
	}

}
