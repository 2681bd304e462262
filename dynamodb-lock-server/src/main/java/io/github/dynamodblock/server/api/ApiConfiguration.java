/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

import io.github.dynamodblock.server.lock.LockServerProperties;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Reads checked bodies.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {

	private final ApiDocument document;

	private final LockServerProperties properties;

	ApiConfiguration(ApiDocument document, LockServerProperties properties) {
		this.document = document;
		this.properties = properties;
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(new CheckedBodyResolver(this.document, this.properties.bodyTimeout()));
	}

	/**
	 * Limits each read of a body, and no write: a stream's reader may be slow.
	 */
	@Bean
	WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> bodyTimeout() {
		int millis = (int) this.properties.bodyTimeout().toMillis();
		return (tomcat) -> tomcat.addConnectorCustomizers((connector) -> {
			connector.setProperty("disableUploadTimeout", "false");
			connector.setProperty("connectionUploadTimeout", Integer.toString(millis));
		});
	}

}
