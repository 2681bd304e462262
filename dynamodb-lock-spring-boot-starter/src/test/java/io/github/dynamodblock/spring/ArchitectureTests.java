/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.dynamodblock.LockClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packagesOf = DistributedLock.class, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String ROOT = "io.github.dynamodblock.spring";

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule whatUsersImportKnowsNothingOfTheRest = noClasses().that()
		.resideInAPackage(ROOT)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(ROOT + ".aop..", ROOT + ".boot..");

	@ArchTest
	static final ArchRule theAdviceKnowsNothingOfAutoConfiguration = noClasses().that()
		.resideInAPackage(ROOT + ".aop..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage(ROOT + ".boot..");

	@ArchTest
	static final ArchRule definitionsKnowNeitherCallsNorChecks = noClasses().that()
		.resideInAPackage(ROOT + ".aop.definition..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(ROOT + ".aop.invocation..", ROOT + ".aop.check..");

	@ArchTest
	static final ArchRule callsKnowNoChecks = noClasses().that()
		.resideInAPackage(ROOT + ".aop.invocation..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage(ROOT + ".aop.check..");

	@ArchTest
	static final ArchRule locksAreAcquiredByTheLockedExecution = noClasses().that()
		.resideInAnyPackage(ROOT, ROOT + ".aop..")
		.and()
		.doNotHaveSimpleName("LockedExecution")
		.should()
		.callMethodWhere(acquires());

	@ArchTest
	static final ArchRule ofTheCoreOnlyWhatIsPublicIsUsed = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.github.dynamodblock.protocol..", "io.github.dynamodblock.runtime..",
				"io.github.dynamodblock.store..");

	@ArchTest
	static final ArchRule onlyWhatIsReactiveNeedsReactor = noClasses().that()
		.haveSimpleNameNotStartingWith("Reactive")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule onlyTheAccessorAndCallersContextNeedContextPropagation = noClasses().that()
		.doNotHaveSimpleName("LockContextAccessor")
		.and()
		.doNotHaveSimpleName("CallersContext")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.micrometer.context..");

	@ArchTest
	static final ArchRule onlyTheLockRegistryAndItsAutoConfigurationNeedSpringIntegration = noClasses().that()
		.resideOutsideOfPackage(ROOT + ".integration..")
		.and()
		.haveNameNotMatching(ROOT + ".boot.autoconfigure.DynamoDbLockRegistry\\w+")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.integration..");

	@ArchTest
	static final ArchRule theLockRegistryKnowsOnlyWhatUsersImport = noClasses().that()
		.resideInAPackage(ROOT + ".integration..")
		.should()
		.dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(ROOT, ROOT + ".integration.."))));

	@ArchTest
	static final ArchRule onlyWhatIsForCoroutinesNeedsKotlin = noClasses().that()
		.haveNameNotMatching(".*\\.Coroutine\\w+(\\$\\w+)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("kotlin..", "kotlinx..");

	@ArchTest
	static final ArchRule autoConfigurationsArePublicFinalAndNamedSo = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL)
		.andShould()
		.haveNameMatching(".*\\.(DynamoDbLock\\w+|DistributedLock|SpringCloudAwsLock)AutoConfiguration");

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate();

	private static DescribedPredicate<JavaMethodCall> acquires() {
		return DescribedPredicate.describe("acquires a lock",
				(call) -> call.getTargetOwner().isEquivalentTo(LockClient.class)
						&& call.getName().toLowerCase(Locale.ROOT).contains("acquire"));
	}

	@ArchTest
	static void everyAutoConfigurationIsRegistered(JavaClasses classes) {
		Set<String> declared = classes.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class)
					|| (type.isTopLevelClass() && type.getSimpleName().endsWith("AutoConfiguration")))
			.map(JavaClass::getName)
			.collect(Collectors.toSet());
		List<String> registered = ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(ROOT))
			.toList();
		assertThat(registered).containsExactlyInAnyOrderElementsOf(declared);
	}

}
