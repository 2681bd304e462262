/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.lock.LockServerProperties;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the web server for the API.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

	/**
	 * Lets calls see their callers. Their bodies have a deadline of their own, which must
	 * come before the container's limit of each read.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> callers(LockServerProperties properties) {
		long bodyLimit = 2 * properties.bodyTimeout().toMillis();
		return (tomcat) -> {
			tomcat.setProtocol(Caller.Protocol.class.getName());
			tomcat.addEngineValves(new Caller.Valve());
			tomcat.addConnectorCustomizers((connector) -> {
				connector.setProperty("disableUploadTimeout", "false");
				connector.setProperty("connectionUploadTimeout", Long.toString(bodyLimit));
			});
		};
	}

}
