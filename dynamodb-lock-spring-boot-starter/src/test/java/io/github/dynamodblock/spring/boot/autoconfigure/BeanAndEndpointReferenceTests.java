/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.boot.actuate.LockedJobsEndpoint;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** The documentation lists every bean and every request of the endpoint. */
class BeanAndEndpointReferenceTests {

	private static final Map<Class<? extends Annotation>, String> METHODS = Map.of(ReadOperation.class, "GET",
			WriteOperation.class, "POST", DeleteOperation.class, "DELETE");

	@Test
	void theReferencePageListsEveryBean() {
		ReferencePage.of("configuration.md")
			.has("beans",
					autoConfigurations().flatMap(BeanAndEndpointReferenceTests::beans)
						.distinct()
						.sorted()
						.collect(Collectors.joining("\n",
								"| bean | type | backs off if the application defines |\n| --- | --- | --- |\n", "")));
	}

	@Test
	void theReferencePageListsEveryRequestOfTheEndpoints() {
		ReferencePage.of("endpoints.md").has("requests", requests(LocksEndpoint.class));
		ReferencePage.of("endpoints.md").has("requests of jobs", requests(LockedJobsEndpoint.class));
	}

	private static String requests(Class<?> endpoint) {
		return Arrays.stream(endpoint.getDeclaredMethods())
			.flatMap((method) -> METHODS.entrySet()
				.stream()
				.filter((entry) -> method.isAnnotationPresent(entry.getKey()))
				.map((entry) -> request(entry.getValue(), method)))
			.sorted()
			.collect(Collectors.joining("\n", "| request | parameters |\n| --- | --- |\n", ""));
	}

	private static Stream<Class<?>> autoConfigurations() {
		List<String> names = ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.dynamodblock.spring."))
			.toList();
		assertThat(names).hasSizeGreaterThan(5);
		return names.stream().map((name) -> ClassUtils.resolveClassName(name, null));
	}

	private static Stream<String> beans(Class<?> configuration) {
		Stream<String> nested = Arrays.stream(configuration.getDeclaredClasses())
			.flatMap(BeanAndEndpointReferenceTests::beans);
		return Stream.concat(nested,
				Arrays.stream(configuration.getDeclaredMethods())
					.filter((method) -> method.isAnnotationPresent(Bean.class))
					.map((method) -> row(configuration, method)));
	}

	private static String row(Class<?> configuration, Method method) {
		String[] names = method.getAnnotation(Bean.class).name();
		String name = (names.length > 0) ? names[0] : method.getName();
		List<String> missing = Stream.of(configuration, method)
			.flatMap((element) -> missing(element, method.getReturnType()))
			.distinct()
			.toList();
		return "| `" + name + "` | `" + method.getReturnType().getSimpleName() + "` | "
				+ (missing.isEmpty() ? "" : "`" + String.join("`, `", missing) + "`") + " |";
	}

	private static Stream<String> missing(AnnotatedElement element, Class<?> beanType) {
		ConditionalOnMissingBean condition = AnnotatedElementUtils.findMergedAnnotation(element,
				ConditionalOnMissingBean.class);
		if (condition == null) {
			return Stream.empty();
		}
		Stream<String> named = Stream.concat(Arrays.stream(condition.name()),
				Stream.concat(Arrays.stream(condition.type()).map(ClassUtils::getShortName),
						Arrays.stream(condition.value()).map(Class::getSimpleName)));
		List<String> all = named.toList();
		return (all.isEmpty() ? Stream.of(beanType.getSimpleName()) : all.stream());
	}

	private static String request(String httpMethod, Method method) {
		Parameter[] parameters = method.getParameters();
		String path = Arrays.stream(parameters)
			.filter((parameter) -> parameter.isAnnotationPresent(Selector.class))
			.map((parameter) -> "/{" + parameter.getName() + "}")
			.collect(Collectors.joining());
		String id = method.getDeclaringClass().getAnnotation(WebEndpoint.class).id();
		return "| `" + httpMethod + " /actuator/" + id + path + "` | "
				+ Arrays.stream(parameters)
					.filter((parameter) -> !parameter.isAnnotationPresent(Selector.class)
							&& parameter.getType() != SecurityContext.class)
					.map((parameter) -> "`" + parameter.getName() + "`")
					.collect(Collectors.joining(", "))
				+ " |";
	}

}
