/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.security.CodeSource;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.ReferencePage;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The types of the starter that a call and a tick pass, in the order in which they are
 * entered for the first time on the thread of the call, in an application without meters
 * and observations. ARCHITECTURE prints them. In a JVM without other tests: a class that
 * is recorded forgets the names of its parameters, which Boot binds by.
 */
@ExtendWith(DynamoDbExtension.class)
public class CallPathIT {

	private static final String ARCHITECTURE = "../ARCHITECTURE.md";

	private static final String BOOT = "io.github.dynamodblock.spring.boot.";

	private static final CodeSource STARTER = DistributedLock.class.getProtectionDomain().getCodeSource();

	private static final ThreadLocal<@Nullable Set<String>> PASSED = new ThreadLocal<>();

	static {
		new AgentBuilder.Default().disableClassFormatChanges()
			.with(RedefinitionStrategy.RETRANSFORMATION)
			.type((type, loader, module, redefined, domain) -> domain != null && STARTER.equals(domain.getCodeSource())
					&& !type.isInterface() && !type.getName().startsWith(BOOT))
			.transform((builder, type, loader, module, domain) -> builder
				.visit(Advice.to(Recorded.class).on(ElementMatchers.isMethod().or(ElementMatchers.isConstructor()))))
			.installOn(ByteBuddyAgent.install());
	}

	@Test
	void aCallAndATickPassTheTypesThatTheArchitectureLists(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			List<String> call = passed(() -> orders.fulfil(42));
			assertThat(call).hasSizeLessThanOrEqualTo(15);
			ReferencePage.of(ARCHITECTURE).has("the types of a call", listed(call));
			JobNode.of(dynamoDb, TickTests.Minutely.class).run((node) -> {
				JobNode.tick(node, "run", Instant.parse("2026-05-01T12:00:00Z"));
				List<String> tick = passed(() -> JobNode.tick(node, "run", Instant.parse("2026-05-01T12:01:00Z")));
				ReferencePage.of(ARCHITECTURE)
					.has("the further types of a tick",
							listed(tick.stream().filter((stop) -> !call.contains(stop)).toList()));
			});
		});
	}

	private static String listed(List<String> stops) {
		return IntStream.range(0, stops.size())
			.mapToObj((i) -> (i + 1) + ". `" + stops.get(i) + "`")
			.collect(Collectors.joining("\n"));
	}

	/** Nested types are stops of the type around them. */
	private static List<String> passed(Runnable call) {
		Set<String> passed = new LinkedHashSet<>();
		PASSED.set(passed);
		try {
			call.run();
		}
		finally {
			PASSED.remove();
		}
		return passed.stream()
			.map((type) -> type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", ""))
			.distinct()
			.toList();
	}

	/**
	 * Records a type on whose code the current thread runs.
	 * @param type its name
	 */
	public static void record(String type) {
		Set<String> passed = PASSED.get();
		if (passed != null) {
			passed.add(type);
		}
	}

	/** What each method begins with. */
	static final class Recorded {

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t") String type) {
			CallPathIT.record(type);
		}

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#p0")
		void fulfil(long order) {
		}

	}

}
