/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.net.URL;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that the types of a package form no circle, in the starter and in the core, so
 * that each can be read before those that use it.
 */
class CircleTests {

	/**
	 * The circles that are left, each by the simple names of its types. This list only
	 * becomes shorter.
	 */
	private static final Set<Set<String>> LEFT = Set.of(Set.of("LockClient", "LockClientBuilder"),
			Set.of("LockListener", "LockRequest", "LockRequestOptions"), Set.of("ItemRules", "ItemTransaction"),
			Set.of("LockItem", "TableSchema"), Set.of("LockTable", "TableSetup"),
			Set.of("LockTemplate", "LockedExecution", "OpenTransactions"),
			Set.of("LockDefinitions", "LockDefinitionReader"),
			Set.of("LockObservationDocumentation", "DefaultLockObservationConvention"));

	private static final JavaClasses MAIN = new ClassFileImporter()
		.importUrls(List.of(classesBeside(LockClient.class), classesBeside(LockTemplate.class)));

	private static URL classesBeside(Class<?> one) {
		return one.getProtectionDomain().getCodeSource().getLocation();
	}

	@Test
	void theTypesOfAPackageFormNoCircleButThoseThatAreLeft() {
		Map<String, Set<String>> uses = new TreeMap<>();
		for (JavaClass type : MAIN) {
			Set<String> used = uses.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
			for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
				JavaClass target = dependency.getTargetClass().getBaseComponentType();
				if (target.getPackageName().equals(type.getPackageName())) {
					used.add(topLevel(target));
				}
			}
		}
		assertThat(circles(uses)).isEqualTo(LEFT);
	}

	/** Types that reach each other. */
	private static Set<Set<String>> circles(Map<String, Set<String>> uses) {
		Map<String, Set<String>> reached = new TreeMap<>();
		uses.keySet().forEach((type) -> reached.put(type, reachedFrom(type, uses)));
		return uses.keySet()
			.stream()
			.map((type) -> Objects.requireNonNull(reached.get(type))
				.stream()
				.filter((other) -> Objects.requireNonNull(reached.get(other)).contains(type))
				.map((other) -> other.substring(other.lastIndexOf('.') + 1))
				.collect(Collectors.toSet()))
			.filter((circle) -> circle.size() > 1)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static Set<String> reachedFrom(String type, Map<String, Set<String>> uses) {
		Set<String> reached = new HashSet<>(Set.of(type));
		Set<String> added = Set.of(type);
		while (!added.isEmpty()) {
			added = added.stream()
				.flatMap((each) -> uses.getOrDefault(each, Set.of()).stream())
				.filter((each) -> !reached.contains(each))
				.collect(Collectors.toSet());
			reached.addAll(added);
		}
		return reached;
	}

	private static String topLevel(JavaClass type) {
		String name = type.getName();
		int nested = name.indexOf('$');
		return (nested < 0) ? name : name.substring(0, nested);
	}

}
