/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.path;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * The stops and crossings of the client's only activity, on the caller's thread and on
 * those of the client.
 */
public final class CallPath {

	private static final String CLIENTS_THREAD = "dynamodb-lock-";

	/** Nearly every type reads them, which says nothing about the way. */
	private static final String CLOCKS = "SystemClocks";

	/** What the current thread executes, the innermost first. */
	private static final ThreadLocal<Deque<Stop>> EXECUTING = ThreadLocal.withInitial(ArrayDeque::new);

	private static final List<Stop> STOPS = Collections.synchronizedList(new ArrayList<>());

	private static volatile @Nullable Thread caller;

	private CallPath() {
	}

	/** Records from now on. */
	static void begin() {
		awaitRest();
		STOPS.clear();
		caller = Thread.currentThread();
	}

	/** Records until nothing is under way. */
	static List<String> end() {
		awaitRest();
		caller = null;
		return path(stops());
	}

	/** Returns how often threads went from type to type while this recorded. */
	static long crossings() {
		return Stream.of(STOPS.toArray(Stop[]::new)).filter((stop) -> stop.crosses).count();
	}

	/** Returns how many crossings led into a type that the thread had not left yet. */
	static long returns() {
		return Stream.of(STOPS.toArray(Stop[]::new)).filter((stop) -> stop.returns).count();
	}

	/** Records until the first stop comes again. */
	static List<String> endOfRound() {
		await().until(() -> {
			List<Stop> stops = stops();
			return !stops.isEmpty() && secondRound(stops) > 0;
		});
		awaitRest();
		caller = null;
		List<Stop> stops = stops();
		return path(stops.subList(0, secondRound(stops)));
	}

	private static List<Stop> stops() {
		return Stream.of(STOPS.toArray(Stop[]::new)).filter((stop) -> stop.leadsOn).toList();
	}

	/** Returns where the first stop comes again, or a negative number. */
	private static int secondRound(List<Stop> stops) {
		return IntStream.range(1, stops.size())
			.filter((i) -> stops.get(i).name.equals(stops.get(0).name))
			.findFirst()
			.orElse(-1);
	}

	/** One thread after the other, since they run at the same time. */
	private static List<String> path(List<Stop> stops) {
		Map<Thread, List<Stop>> byThread = stops.stream()
			.collect(Collectors.groupingBy((stop) -> stop.thread, LinkedHashMap::new, Collectors.toList()));
		return byThread.values().stream().flatMap(List::stream).map((stop) -> stop.name).distinct().toList();
	}

	/** Waits until no thread of the client runs, or reads the answer to a call. */
	private static void awaitRest() {
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(CLIENTS_THREAD))
			.noneMatch((thread) -> thread.getState() == Thread.State.RUNNABLE));
	}

	/**
	 * The current thread enters a method.
	 * @param name the name of the method's class
	 * @param method its name
	 */
	public static void enter(String name, String method) {
		Deque<Stop> executing = EXECUTING.get();
		String type = name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
		Stop from = executing.peek();
		if (from != null && from.type.equals(type)) {
			executing.push(from);
			return;
		}
		boolean returns = executing.stream().anyMatch((earlier) -> earlier.type.equals(type));
		Stop stop = new Stop(type, type + "." + method, from != null, returns);
		if (from != null && !type.equals(CLOCKS)) {
			from.leadsOn = true;
		}
		if (isRecorded()) {
			STOPS.add(stop);
		}
		executing.push(stop);
	}

	/** The current thread leaves a method. */
	public static void exit() {
		EXECUTING.get().pop();
	}

	private static boolean isRecorded() {
		Thread thread = Thread.currentThread();
		return caller != null && (thread == caller || thread.getName().startsWith(CLIENTS_THREAD));
	}

	/**
	 * A method that was entered from another type.
	 */
	private static final class Stop {

		private final Thread thread = Thread.currentThread();

		private final String type;

		private final String name;

		private final boolean crosses;

		private final boolean returns;

		private volatile boolean leadsOn;

		Stop(String type, String name, boolean crosses, boolean returns) {
			this.type = type;
			this.name = name;
			this.crosses = crosses;
			this.returns = returns;
		}

	}

}
