/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Serves Swagger UI below {@code /swagger-ui/}: a page of the service's own, and the
 * scripts and styles of the library on the class path. The library's page is not served,
 * as it shows another host's document.
 */
@Configuration(proxyBeanMethods = false)
class SwaggerUiConfiguration implements WebMvcConfigurer {

	private static final String PATH = "/swagger-ui";

	private static final String OWN_FILES = "classpath:/swagger-ui/";

	private static final String LIBRARY_FILES = "classpath:/META-INF/resources/webjars/swagger-ui/%s/";

	private static final String LIBRARY_COORDINATES = "META-INF/maven/org.webjars/swagger-ui/pom.properties";

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController(PATH, PATH + "/");
		registry.addViewController(PATH + "/").setViewName("forward:" + PATH + "/index.html");
	}

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		// What stands in both is found in the first.
		registry.addResourceHandler(PATH + "/**")
			.addResourceLocations(OWN_FILES, LIBRARY_FILES.formatted(libraryVersion()));
	}

	private static String libraryVersion() {
		try {
			Properties coordinates = PropertiesLoaderUtils.loadProperties(new ClassPathResource(LIBRARY_COORDINATES));
			return coordinates.getProperty("version");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Swagger UI is not on the class path; add org.webjars:swagger-ui", ex);
		}
	}

}
