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
 * Serves the page, and Swagger UI below {@code /swagger-ui/}: a page of the service's
 * own, and the scripts and styles of the library on the class path. The library's page is
 * not served, as it shows another host's document.
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
		// What stands in both is found in the first.
		registry.addResourceHandler(SWAGGER_UI + "/**")
			.addResourceLocations("classpath:/swagger-ui/")
			.addResourceLocations(this.library);
	}

}
