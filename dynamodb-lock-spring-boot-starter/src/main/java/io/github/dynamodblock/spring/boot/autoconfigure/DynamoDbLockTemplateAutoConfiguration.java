/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.aop.invocation.LockNaming;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a {@link LockTemplate} for the default {@link LockClient}, whose
 * keys are those of annotated methods. Backs off from the application's own template.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass(LockClient.class)
@ConditionalOnSingleCandidate(LockClient.class)
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockTemplateAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockTemplate lockTemplate(LockClient lockClient, DynamoDbLockProperties properties) {
		LockNaming naming = properties.naming();
		return new LockTemplate(lockClient).keyPrefix(naming.prefix()).sortKey(naming.sort());
	}

}
