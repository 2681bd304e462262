/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Serves the page, and Swagger UI below {@code /swagger-ui/}. Swagger UI consists of the
 * service's own HTML page and the library's scripts and styles from the class path. The
 * library's HTML page is not served, because it shows a document of another host.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "lock-server.page.enabled", matchIfMissing = true)
class PageConfiguration implements WebMvcConfigurer {

	private static final String SWAGGER_UI = "/swagger-ui";

	private final Resource[] library;

	PageConfiguration(@Value("classpath*:META-INF/resources/webjars/swagger-ui/*/") Resource[] library) {
		this.library = library;
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addViewController("/").setViewName("forward:/index.html");
		registry.addRedirectViewController(SWAGGER_UI, SWAGGER_UI + "/");
		registry.addViewController(SWAGGER_UI + "/").setViewName("forward:" + SWAGGER_UI + "/index.html");
	}

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		registry.addResourceHandler("/index.html", "/page.*", "/icon.svg")
			.addResourceLocations("classpath:/page/")
			.setCacheControl(CacheControl.noCache());
		// The first location takes precedence.
		registry.addResourceHandler(SWAGGER_UI + "/**")
			.addResourceLocations("classpath:/swagger-ui/")
			.addResourceLocations(this.library);
	}

}
