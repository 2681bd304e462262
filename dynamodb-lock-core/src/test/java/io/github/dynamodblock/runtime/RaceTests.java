/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.protocol.Step;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What comes together in one client. Lincheck decides at every access to shared memory
 * which thread goes on, and tries many orders, the same in each run. Whatever the order,
 * all that anybody is told, and what is left in the end, has to be as if one thing had
 * been done after the other.
 *
 * <p>
 * {@code ./mvnw -Praces} runs these tests and nothing else. The system property
 * {@code races.orders} says how many orders of each scenario are tried; 200 are enough to
 * find each race that was mended, and a line whose turn is passed on in two steps.
 */
@Tag("races")
class RaceTests {

	private static final int ORDERS = Integer.getInteger("races.orders", 200);

	private static final List<String> ATOMIC = List.of("java.util.concurrent.ConcurrentHashMap",
			"java.util.concurrent.ConcurrentLinkedQueue", "io.github.dynamodblock.protocol.",
			"io.github.dynamodblock.store.", "org.slf4j.", "ch.qos.logback.", "java.time.", "java.lang.String",
			"java.util.Array", "java.util.HashMap", "java.util.LinkedHash", "java.util.Optional",
			"java.util.ImmutableCollections");

	@Test
	void theTurnIsGivenToOneAtATimeInTheOrderOfComing() {
		check(WaitQueueRaces.class, "firstLeaves | secondEnters thirdEnters", "firstLeaves | secondEnters | thirdTries",
				"secondEnters > firstLeaves | secondWithdraws thirdEnters",
				"secondEnters thirdEnters > firstLeaves | secondWithdraws");
	}

	@Test
	void aLeaseEndsOnceAndAllAreToldTheSameEnd() {
		check(LeaseRaces.class, "release | close", "release | release", "releaseWithData | close", "release | detach",
				"release | closeWithoutReleasing", "release | expire", "deleteRow > release | renew", "detach | close",
				"detach | expire", "close | renew", "close | expire", "deleteRow > renew | isHeld", "expire | renew");
	}

	@Test
	void aLeaseThatIsKeptForAWhileEndsOnceAndAllAreToldTheSameEnd() {
		check(KeptLeaseRaces.class, "release | detach", "release | close", "releaseWithData | close",
				"release | closeWithoutReleasing", "release | expire");
	}

	@Test
	void nobodyHoldsALockOfAClosedClient() {
		check(AcquireRaces.class, "release holdCallsBack begin > deliver | close", "begin > release | close");
	}

	@Test
	void aLockIsHandedOnOrItsHolderGivesAConditionCheckAway() {
		check(AcquireRaces.class, "begin > release | conditionCheck");
	}

	@Test
	void theEndOfALockIsToldAlthoughItsCallerLeavesAtTheMomentOfTheGrant() {
		check(AcquireRaces.class, "begin beginSecond > release | cancel");
	}

	private static void check(Class<?> operations, String... scenarios) {
		ModelCheckingOptions options = new ModelCheckingOptions().iterations(0)
			.invocationsPerIteration(ORDERS)
			.minimizeFailedScenario(false)
			.addGuarantee(atomic());
		for (String scenario : scenarios) {
			options = options.addCustomScenario(scenario(operations, scenario));
		}
		options.check(operations);
	}

	/**
	 * What is done before, if anything, then what each thread does, one after the other.
	 */
	private static ExecutionScenario scenario(Class<?> operations, String scenario) {
		int begin = scenario.indexOf('>');
		List<Actor> before = (begin < 0) ? List.of() : actors(operations, scenario.substring(0, begin));
		List<List<Actor>> threads = new ArrayList<>();
		for (String thread : scenario.substring(begin + 1).split("\\|", -1)) {
			threads.add(actors(operations, thread));
		}
		return new ExecutionScenario(before, threads, actors(operations, "outcome"), null);
	}

	private static List<Actor> actors(Class<?> operations, String names) {
		return Arrays.stream(names.trim().split(" ", -1)).map((name) -> actor(operations, name)).toList();
	}

	private static Actor actor(Class<?> operations, String name) {
		try {
			Method method = operations.getMethod(name);
			return new Actor(method, List.of());
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalArgumentException(operations + " has no operation " + name, ex);
		}
	}

	/**
	 * What is thread-safe by itself or is not shared, and calls nobody back who may have
	 * to wait, is not taken apart.
	 */
	private static ManagedStrategyGuarantee atomic() {
		return ManagedStrategyGuaranteeKt.forClasses(RaceTests::isAtomic)
			.methods((method) -> !"forEach".equals(method))
			.treatAsAtomic();
	}

	private static boolean isAtomic(String name) {
		return ATOMIC.stream().anyMatch(name::startsWith) && !name.startsWith(Step.class.getName());
	}

}
