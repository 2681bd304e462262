/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.lock.LockServerProperties;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the web server for the API.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

	/**
	 * Limits each read of a body, and no write: a stream's reader may be slow.
	 */
	@Bean
	WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> bodyTimeout(LockServerProperties properties) {
		int millis = (int) properties.bodyTimeout().toMillis();
		return (tomcat) -> tomcat.addConnectorCustomizers((connector) -> {
			connector.setProperty("disableUploadTimeout", "false");
			connector.setProperty("connectionUploadTimeout", Integer.toString(millis));
		});
	}

}
