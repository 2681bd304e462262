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

/**
 * Matches if there are lock clients under {@code dynamodb-lock.clients}.
 */
class OnAdditionalLockClientsCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfiguredLockClients configured = new ConfiguredLockClients(context.getEnvironment());
		return new ConditionOutcome(!configured.additional().isEmpty(),
				ConditionMessage.forCondition("Lock clients by name").foundExactly(configured.additional().size()));
	}

}
