/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Matches where nothing says which DynamoDB to use: no property of ours or of Spring
 * Cloud AWS, no environment variable or system property of the AWS SDK.
 */
class OnNoEndpointCondition extends SpringBootCondition {

	private static final List<String> ENDPOINTS = List.of("dynamodb-lock.dynamodb.endpoint",
			"spring.cloud.aws.endpoint", "spring.cloud.aws.dynamodb.endpoint", "AWS_ENDPOINT_URL",
			"AWS_ENDPOINT_URL_DYNAMODB", "aws.endpointUrl", "aws.endpointUrlDynamoDb");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Environment environment = context.getEnvironment();
		List<String> configured = ENDPOINTS.stream()
			.filter((name) -> StringUtils.hasText(environment.getProperty(name)))
			.toList();
		ConditionMessage.Builder message = ConditionMessage.forCondition("DynamoDB endpoint");
		if (configured.isEmpty()) {
			return ConditionOutcome.match(message.because("none is configured"));
		}
		return ConditionOutcome.noMatch(message.found("property", "properties").items(configured));
	}

}
