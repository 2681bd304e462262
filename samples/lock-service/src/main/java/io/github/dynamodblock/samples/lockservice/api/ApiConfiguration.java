/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import java.util.List;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Reads checked bodies.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {

	private final ApiDocument document;

	ApiConfiguration(ApiDocument document) {
		this.document = document;
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(new CheckedBodyResolver(this.document));
	}

}
