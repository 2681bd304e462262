/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.apache.catalina.core.StandardHost;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the web server for the API.
 */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration {

	/** The size of a buffer in bytes. A response about a lock is smaller. */
	private static final String SOCKET_BUFFER = "1024";

	/**
	 * Adds the caller to each request, and lets the service answer requests that Tomcat
	 * refuses. Buffers of connections are small, because thousands of them must fit into
	 * the heap.
	 */
	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> connections() {
		return (tomcat) -> {
			tomcat.setProtocol(Caller.Protocol.class.getName());
			tomcat.addEngineValves(new Caller.Valve());
			tomcat.addContextCustomizers((context) -> ((StandardHost) context.getParent())
				.setErrorReportValveClass(ErrorValve.class.getName()));
			tomcat.addConnectorCustomizers((connector) -> {
				connector.setProperty("socket.appReadBufSize", SOCKET_BUFFER);
				connector.setProperty("socket.appWriteBufSize", SOCKET_BUFFER);
			});
		};
	}

}
