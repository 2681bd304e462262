/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks the dependencies between packages, and what each of them encapsulates.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.dynamodblock";

	private static final String PROTOCOL = ROOT + ".protocol";

	private static final String STORE = ROOT + ".store";

	private static final String RUNTIME = ROOT + ".runtime";

	private static final String ENVIRONMENT = RUNTIME + ".environment";

	private static final String TABLE = ROOT + ".table";

	private static final String ACQUIRE = PROTOCOL + ".acquire";

	private static final String LEASE = PROTOCOL + ".lease";

	private static final String CALL = RUNTIME + ".call";

	private static final String SHARED = RUNTIME + ".shared";

	private static final String RUN_LEASE = RUNTIME + ".lease";

	private static final String RUN_ACQUIRE = RUNTIME + ".acquire";

	/** Which other packages of ours each package may import. */
	private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(entry(ROOT, Set.of()),
			entry(PROTOCOL, Set.of(ROOT)), entry(LEASE, Set.of(ROOT, PROTOCOL)),
			entry(ACQUIRE, Set.of(ROOT, PROTOCOL, LEASE)), entry(STORE, Set.of(ROOT, PROTOCOL)),
			entry(TABLE, Set.of(ROOT, STORE)), entry(ENVIRONMENT, Set.of(ROOT, PROTOCOL, STORE)),
			entry(CALL, Set.of(ROOT, PROTOCOL, ENVIRONMENT)),
			entry(SHARED, Set.of(ROOT, PROTOCOL, ACQUIRE, LEASE, STORE, ENVIRONMENT, CALL)),
			entry(RUN_LEASE, Set.of(ROOT, PROTOCOL, ACQUIRE, LEASE, STORE, ENVIRONMENT, CALL, SHARED)),
			entry(RUN_ACQUIRE, Set.of(ROOT, PROTOCOL, ACQUIRE, LEASE, ENVIRONMENT, CALL, SHARED, RUN_LEASE)),
			entry(RUNTIME,
					Set.of(ROOT, PROTOCOL, ACQUIRE, LEASE, STORE, ENVIRONMENT, CALL, SHARED, RUN_LEASE, RUN_ACQUIRE)));

	/** The one way back: a builder that users find beside what it builds. */
	private static final Class<?> WAY_BACK = LockClientBuilder.class;

	/**
	 * Values that contain the application's attributes, which no other class reads.
	 */
	private static final Class<?>[] CARRIERS = { ItemChange.class, ItemCondition.class, LockRecord.class };

	private static final Path SOURCES = Path.of("src", "main", "java");

	/** A literal, whose text is a string's first group, or a comment. */
	private static final Pattern TOKEN = Pattern
		.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"|'(?:[^'\\\\]|\\\\.)+'|//[^\\n]*|(?s:/\\*.*?\\*/)");

	private static final Pattern SYNCHRONIZED = Pattern.compile("\\bsynchronized\\b");

	private static final JavaClasses MAIN = classesBeside(LockClient.class);

	private static final JavaClasses TESTS = classesBeside(ArchitectureTests.class);

	private static JavaClasses classesBeside(Class<?> one) {
		return new ClassFileImporter().importUrl(one.getProtectionDomain().getCodeSource().getLocation());
	}

	@Test
	void theStatesOfALeaseArePrintedAsItsSourceHasThem() throws IOException {
		String source = Files.readString(SOURCES.resolve("io/github/dynamodblock/protocol/lease/Lease.java"));
		String states = source.substring(source.indexOf("<pre>") + 6, source.indexOf(" * </pre>"))
			.replace("-&gt;", "->")
			.replace("\n * ", "\n    ")
			.replace(" * HELD", "    HELD");
		assertThat(Path.of("..", "ARCHITECTURE.md")).content().contains(states);
	}

	@Test
	void everyPackageHasItsPlace() {
		assertThat(MAIN.stream().map(JavaClass::getPackageName)).isSubsetOf(MAY_IMPORT.keySet())
			.containsAll(MAY_IMPORT.keySet());
	}

	@Test
	void theModuleExportsThePackagesThatUsersImportAndNoOthers() throws Exception {
		Path classes = Path.of(LockClient.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		ModuleDescriptor module = ModuleFinder.of(classes).find(ROOT).orElseThrow().descriptor();
		assertThat(module.exports()).noneMatch(ModuleDescriptor.Exports::isQualified)
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrder(ROOT, TABLE);
		assertThat(module.opens()).isEmpty();
		assertThat(module.packages()).isEqualTo(MAY_IMPORT.keySet());
	}

	static Set<String> packages() {
		return MAY_IMPORT.keySet();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packagesImportOnlyWhatIsBelowThem(String importing) {
		Set<String> allowed = Stream
			.concat(Stream.of(importing), Objects.requireNonNull(MAY_IMPORT.get(importing)).stream())
			.collect(Collectors.toSet());
		DescribedPredicate<JavaClass> elsewhere = DescribedPredicate.describe("are ours, but not in " + allowed,
				(imported) -> resideInAPackage(ROOT + "..").test(imported)
						&& !allowed.contains(imported.getPackageName()));
		noClasses().that()
			.resideInAPackage(importing)
			.and()
			.doNotBelongToAnyOf(WAY_BACK)
			.should()
			.dependOnClassesThat(elsewhere)
			.check(MAIN);
	}

	@Test
	void packagesHaveNoCycleButTheWayBack() {
		SlicesRuleDefinition.slices()
			.assignedFrom(eachPackage())
			.should()
			.beFreeOfCycles()
			.ignoreDependency(equivalentTo(WAY_BACK), alwaysTrue())
			.check(MAIN);
	}

	private static SliceAssignment eachPackage() {
		return new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
				return resideInAPackage(ROOT + "..").test(javaClass) ? SliceIdentifier.of(javaClass.getPackageName())
						: SliceIdentifier.ignore();
			}

			@Override
			public String getDescription() {
				return "each package";
			}

		};
	}

	@Test
	void protocolImportsNoInputOrOutputNoThreadAndNoClock() {
		noClasses().that()
			.resideInAPackage(PROTOCOL + "..")
			.should()
			.dependOnClassesThat(resideInAnyPackage("java.io..", "java.net..", "java.nio..", "java.util.concurrent..",
					"java.util.logging..", "java.security..", "software.amazon..", "org.slf4j.."))
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Thread.class)
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(InstantSource.class)
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Clock.class)
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Random.class)
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(java.util.Timer.class)
			.check(MAIN);
	}

	@Test
	void protocolReadsNoTimeAndNoRandomNumber() {
		noClasses().that()
			.resideInAPackage(PROTOCOL + "..")
			.should()
			.accessTargetWhere(uses(System.class, "nanoTime", "currentTimeMillis", "console", "getenv", "getProperty"))
			.orShould()
			.accessTargetWhere(uses(UUID.class, "randomUUID"))
			.orShould()
			.accessTargetWhere(uses(Math.class, "random"))
			.orShould()
			.accessTargetWhere(DescribedPredicate.describe("java.time...now()",
					(access) -> access.getTargetOwner().getPackageName().equals("java.time")
							&& access.getName().equals("now")))
			.orShould()
			.accessTargetWhere(uses(Object.class, "wait", "notify", "notifyAll"))
			.check(MAIN);
	}

	/** A virtual thread that blocks there would keep its carrier, before JDK 24. */
	@Test
	void onlyTheProtocolWhichNeverBlocksIsSynchronized() throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path source : mainSources()) {
			boolean isProtocol = source.startsWith(SOURCES.resolve(PROTOCOL.replace('.', '/')));
			if (!isProtocol && TOKEN.splitAsStream(Files.readString(source)).anyMatch(SYNCHRONIZED.asPredicate())) {
				found.add(source.getFileName());
			}
		}
		assertThat(found).isEmpty();
	}

	@Test
	void noClassSleeps() {
		for (JavaClasses classes : List.of(MAIN, TESTS)) {
			noClasses().should()
				.accessTargetWhere(uses(Thread.class, "sleep"))
				.orShould()
				.accessTargetWhere(uses(TimeUnit.class, "sleep"))
				.check(classes);
		}
	}

	/** Calls and method references alike. */
	private static DescribedPredicate<JavaAccess<?>> uses(Class<?> owner, String... names) {
		return DescribedPredicate.describe(owner.getSimpleName() + "." + String.join("/", names),
				(access) -> access.getTargetOwner().isAssignableTo(owner) && Set.of(names).contains(access.getName()));
	}

	@Test
	void nothingImportsSpring() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..").check(MAIN);
	}

	@Test
	void onlyTheStoreHandlesItems() {
		noClasses().that()
			.resideOutsideOfPackage(STORE)
			.and()
			.doNotBelongToAnyOf(CARRIERS)
			.should()
			.dependOnClassesThat(equivalentTo(AttributeValue.class))
			.check(MAIN);
	}

	@Test
	void onlyTheStoreNamesAnItemsAttribute() throws Exception {
		Set<String> names = attributeNames();
		List<String> found = new ArrayList<>();
		for (Path source : mainSources()) {
			if (!source.startsWith(SOURCES.resolve(STORE.replace('.', '/'))) && !namesOptions(source)) {
				literals(Files.readString(source)).filter(names::contains)
					.forEach((name) -> found.add(source.getFileName() + " names \"" + name + "\""));
			}
		}
		assertThat(found).isEmpty();
	}

	/** An option may have the name of the attribute that stores it. */
	private static boolean namesOptions(Path source) {
		return source.endsWith("Limits.java") || source.endsWith("LockClientBuilder.java");
	}

	private static Set<String> attributeNames() throws ReflectiveOperationException {
		Set<String> names = new TreeSet<>(Set.of(TableSchema.DEFAULT_PARTITION_KEY, TableSchema.DEFAULT_FENCING_TOKEN,
				TableSchema.DEFAULT_TIME_TO_LIVE));
		for (Field field : Class.forName(STORE + ".LockItem").getDeclaredFields()) {
			if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
				field.setAccessible(true);
				names.add(String.valueOf(field.get(null)));
			}
		}
		assertThat(names).contains("ownerName", "leaseDuration", "recordVersionNumber", "isReleased", "data",
				"fencingToken", "expiresAt");
		return names;
	}

	private static List<Path> mainSources() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			List<Path> sources = files.filter((file) -> file.toString().endsWith(".java")).toList();
			assertThat(sources).hasSizeGreaterThanOrEqualTo(MAY_IMPORT.size());
			return sources;
		}
	}

	/**
	 * The string literals of a source, but for those that name the argument of a null
	 * check.
	 */
	private static Stream<String> literals(String source) {
		String withoutNullChecks = source.replaceAll("requireNonNull\\(\\s*[\\w.]+,\\s*\"\\w+\"\\)", "");
		return TOKEN.matcher(withoutNullChecks)
			.results()
			.map((literal) -> literal.group(1))
			.filter((text) -> text != null);
	}

	@Test
	void everyPackageIsNullMarked() {
		for (JavaClasses classes : List.of(MAIN, TESTS)) {
			assertThat(classes.stream().map(JavaClass::getPackageName).distinct())
				.allSatisfy((name) -> assertThat(isNullMarked(name)).as(name).isTrue());
		}
	}

	private static boolean isNullMarked(String packageName) {
		try {
			return Class.forName(packageName + ".package-info").isAnnotationPresent(NullMarked.class);
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

}
