/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.testing.TestDynamoDb;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stops of an uncontended {@code acquire()} and of a heartbeat, from the call or the
 * timer to the SDK and back, and how often an uncontended acquire and its release cross
 * from type to type, as ARCHITECTURE prints them.
 * <p>
 * A stop is a method that leads on: it is entered from another type of the core, or as
 * the first one on its thread, and enters another type itself. Methods of one type that
 * call each other are one stop. A nested type or an anonymous class belongs to the type
 * around it. A lambda isn't seen: what it calls is called by the method that calls it.
 * Returns, constructors, {@linkplain Accessors accessors}, the clocks and the values in
 * the root package and in {@code protocol} are no stops. A method that is a stop more
 * than once is listed once. The stops of the caller's thread come first, then those of
 * the client's threads, in the order in which the threads begin.
 * <p>
 * A crossing is a method of one type that is entered from a method of another, whether it
 * leads on or not. A return is a crossing into a type that the thread has not left yet.
 * The clocks count, but no other method that is no stop; nor does the first method on a
 * thread. All threads count.
 * <p>
 * In a JVM without other tests, since the core is instrumented.
 */
public class CallPathIT {

	private static final int CYCLES = 10;

	private static final int COUNTED_ON = 17;

	private static final Path ARCHITECTURE = Path.of("..", "ARCHITECTURE.md");

	private static final CodeSource CORE = LockClient.class.getProtectionDomain().getCodeSource();

	private static final Set<String> VALUES = Set.of("io.github.dynamodblock", "io.github.dynamodblock.protocol");

	static {
		Accessors accessors = new Accessors();
		new AgentBuilder.Default().disableClassFormatChanges()
			.with(RedefinitionStrategy.RETRANSFORMATION)
			.type((type, loader, module, redefined, domain) -> domain != null && CORE.equals(domain.getCodeSource())
					&& !VALUES.contains(type.getPackage().getName()))
			.transform((builder, type, loader, module, domain) -> builder.visit(
					Advice.to(Recorded.class).on(ElementMatchers.isMethod().and((method) -> !accessors.has(method)))))
			.installOn(ByteBuddyAgent.install());
	}

	@Test
	void anAcquireAReleaseAndAHeartbeatPassTheTypesAsTheArchitectureSays() throws Exception {
		// Workers of a pool that compensates for waiting make no calls themselves.
		FutureTask<Void> caller = new FutureTask<>(() -> {
			recordAndCompare();
			return null;
		});
		new Thread(caller, "caller").start();
		caller.get();
	}

	private static void recordAndCompare() throws Exception {
		try (LockClient client = LockClient.builder(TestDynamoDb.client())
			.tableName(TestDynamoDb.newTable().tableName())
			.build()) {
			// Classes are initialized by the first of each.
			HeldLock first = client.acquire(request("first"));
			heartbeat();
			first.release();
			String crossings = crossings(client);
			// Another JDK crosses a little more or less often.
			if (Runtime.version().feature() == COUNTED_ON) {
				assertThatArchitectureHas("the crossings of an acquire and its release", crossings);
			}
			LockRequest second = request("second");
			CallPath.begin();
			client.acquire(second);
			assertThatArchitectureHas("the stops of an acquire", list(CallPath.end()));
			assertThatArchitectureHas("the stops of a heartbeat", list(heartbeat()));
		}
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).leaseDuration(Duration.ofSeconds(20)).heartbeatPeriod(Duration.ofMillis(500));
	}

	/** Everything from one heartbeat to the next, which begins with the same stop. */
	private static List<String> heartbeat() {
		CallPath.begin();
		return CallPath.endOfRound();
	}

	/** The fewest of some cycles: an alarm is set again if its thread had to pause. */
	private static String crossings(LockClient client) throws InterruptedException {
		long crossings = Long.MAX_VALUE;
		long returns = Long.MAX_VALUE;
		for (int cycle = 0; cycle < CYCLES; cycle++) {
			CallPath.begin();
			client.acquire(LockRequest.of("only")).release();
			CallPath.end();
			crossings = Math.min(crossings, CallPath.crossings());
			returns = Math.min(returns, CallPath.returns());
		}
		return "- " + crossings + " crossings from type to type\n- " + returns
				+ " of them return to a type that is already on the stack\n";
	}

	private static String list(List<String> stops) {
		return IntStream.range(0, stops.size())
			.mapToObj((i) -> (i + 1) + ". `" + stops.get(i) + "`\n")
			.collect(Collectors.joining());
	}

	private static void assertThatArchitectureHas(String part, String text) throws IOException {
		String begin = "<!-- begin " + part + " -->\n";
		String page = Files.readString(ARCHITECTURE);
		int from = page.indexOf(begin) + begin.length();
		int to = page.indexOf("<!-- end " + part + " -->");
		assertThat(page).contains(begin);
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(ARCHITECTURE, page.substring(0, from) + text + page.substring(to));
		}
		else {
			assertThat(page.substring(from, to)).as("%s; -Dreference.write=true rewrites this part", part)
				.isEqualTo(text);
		}
	}

	/** What each method begins and ends with. */
	static final class Recorded {

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t") String type, @Advice.Origin("#m") String method) {
			CallPath.enter(type, method);
		}

		@Advice.OnMethodExit(onThrowable = Throwable.class)
		static void exit() {
			CallPath.exit();
		}

	}

}
