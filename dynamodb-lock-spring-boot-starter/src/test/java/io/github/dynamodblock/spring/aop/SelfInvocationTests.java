/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import com.acme.ImportService;
import com.acme.PaymentService;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.ProxyRules;
import io.github.dynamodblock.spring.DistributedLock;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.metaAnnotatedWith;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rule that the documentation gives to users, since the starter does not detect calls
 * that bypass the proxy.
 */
class SelfInvocationTests {

	private static final ArchRule NO_CALL_BYPASSES_THE_LOCK = ProxyRules
		.no_classes_should_directly_call_other_methods_declared_in_the_same_class_that(
				are(annotatedWith(DistributedLock.class).or(metaAnnotatedWith(DistributedLock.class))));

	@Test
	void documentedRuleFindsACallThatBypassesTheProxy() {
		assertThat(violations(ImportService.class)).contains("ImportService.importAll",
				"ImportService.importOne(com.acme.Order)");
	}

	@Test
	void documentedRuleAcceptsAClassWithoutSuchACall() {
		assertThat(violations(PaymentService.class)).isEmpty();
	}

	private static String violations(Class<?> type) {
		return String.join("\n",
				NO_CALL_BYPASSES_THE_LOCK.evaluate(new ClassFileImporter().importClasses(type))
					.getFailureReport()
					.getDetails());
	}

}
