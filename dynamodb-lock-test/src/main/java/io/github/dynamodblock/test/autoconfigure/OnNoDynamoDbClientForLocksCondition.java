/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Matches where no {@link DynamoDbClient} bean is qualified for locks. Such a bean need
 * not be a candidate for other injection points, and Boot's conditions about missing
 * beans overlook those that are none.
 */
class OnNoDynamoDbClientForLocksCondition extends SpringBootCondition implements ConfigurationCondition {

	/** Of the starter, which this module cannot see. */
	private static final String QUALIFIER = "io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("DynamoDbClient for locks");
		List<String> qualified = qualified(context);
		return qualified.isEmpty() ? ConditionOutcome.match(message.because("no bean is qualified"))
				: ConditionOutcome.noMatch(message.found("bean", "beans").items(qualified));
	}

	private static List<String> qualified(ConditionContext context) {
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		Assert.state(beanFactory != null, "A condition about beans needs a bean factory");
		if (!ClassUtils.isPresent(QUALIFIER, context.getClassLoader())) {
			return List.of();
		}
		Class<? extends Annotation> qualifier = ClassUtils.resolveClassName(QUALIFIER, context.getClassLoader())
			.asSubclass(Annotation.class);
		return Arrays
			.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DynamoDbClient.class, true, false))
			.filter((name) -> beanFactory.findAnnotationOnBean(name, qualifier, false) != null)
			.toList();
	}

}
