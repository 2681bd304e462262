/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.awspring.cloud.standin;

import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has the beans that Spring Cloud AWS offers to every application.
 */
@Configuration(proxyBeanMethods = false)
public class StandInAutoConfiguration {

	@Bean
	AwsCredentialsProvider credentialsProvider() {
		return AnonymousCredentialsProvider.create();
	}

	@Bean
	static AwsRegionProvider regionProvider() {
		return () -> Region.EU_CENTRAL_1;
	}

}
