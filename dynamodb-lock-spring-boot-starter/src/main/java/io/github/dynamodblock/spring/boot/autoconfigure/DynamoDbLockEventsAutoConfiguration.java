/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.event.LockEventPublisher;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of application events about locks. Switched off by
 * {@code dynamodb-lock.events.enabled=false}.
 */
@AutoConfiguration(before = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass(LockClient.class)
@Conditional(OnLocksEnabledCondition.class)
@ConditionalOnBooleanProperty(name = DynamoDbLockProperties.PREFIX + ".events.enabled", matchIfMissing = true)
public final class DynamoDbLockEventsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Order(Ordered.LOWEST_PRECEDENCE)
	LockEventPublisher lockEventPublisher(ApplicationEventPublisher publisher) {
		return new LockEventPublisher(publisher);
	}

}
