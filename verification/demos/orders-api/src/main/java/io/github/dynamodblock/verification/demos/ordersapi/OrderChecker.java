/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.demos.ordersapi.Answer.Added;
import io.github.dynamodblock.verification.demos.ordersapi.Answer.Failed;
import io.github.dynamodblock.verification.demos.ordersapi.Answer.Refused;
import io.github.dynamodblock.verification.demos.ordersapi.Stored.State;

/**
 * Checks that what the nodes acknowledged is what is stored.
 */
final class OrderChecker {

	private OrderChecker() {
	}

	/**
	 * Checks a run.
	 * @param answers the outcomes of all requests
	 * @param database what the database contains afterwards
	 * @param nodes what the nodes answer afterwards
	 */
	static Verdict check(List<Answer> answers, Stored database, List<Stored> nodes) {
		Map<Long, State> acknowledged = acknowledged(answers);
		List<Added> added = all(Added.class, answers);
		List<String> problems = new ArrayList<>();
		addFailedRequests(all(Failed.class, answers), problems);
		if (added.isEmpty()) {
			problems.add("no item was added, so nothing was tested");
		}
		addDifferences(acknowledged, database, added.size(), problems);
		acknowledged.keySet().forEach((order) -> addBackwardToken(order, added, problems));
		nodes.forEach((node) -> addDifferences(acknowledged.keySet(), database, node, problems));
		if (!problems.isEmpty()) {
			return Verdict.failed(String.join("; ", problems));
		}
		return Verdict.ok("requests: " + answers.size() + ", added: " + added.size() + ", refused: "
				+ all(Refused.class, answers).size() + ", lost updates: 0; the numbers of all orders ("
				+ acknowledged.size() + ") agree in the database and on all nodes (" + nodes.size() + ")");
	}

	/**
	 * Returns what the orders must be if nothing is lost.
	 * @return the orders by their numbers
	 */
	static Map<Long, State> acknowledged(List<Answer> answers) {
		Map<Long, State> orders = new TreeMap<>();
		answers.forEach((answer) -> orders.putIfAbsent(answer.order(), State.EMPTY));
		all(Added.class, answers)
			.forEach((added) -> orders.computeIfPresent(added.order(), (order, state) -> state.plus(added.cents())));
		return orders;
	}

	static <T extends Answer> List<T> all(Class<T> type, List<Answer> answers) {
		return answers.stream().filter(type::isInstance).map(type::cast).toList();
	}

	private static void addFailedRequests(List<Failed> failed, List<String> problems) {
		if (!failed.isEmpty()) {
			problems.add("failed requests: " + failed.size()
					+ "; it is unknown what they changed. The first one was for order " + failed.get(0).order() + ": "
					+ failed.get(0).what());
		}
	}

	private static void addDifferences(Map<Long, State> acknowledged, Stored database, int added,
			List<String> problems) {
		List<Long> different = acknowledged.keySet()
			.stream()
			.filter((order) -> !database.order(order).equals(state(acknowledged, order)))
			.toList();
		if (different.isEmpty()) {
			return;
		}
		int lost = different.stream()
			.mapToInt((order) -> Math.max(0, state(acknowledged, order).items() - database.order(order).items()))
			.sum();
		long first = different.get(0);
		problems.add("lost updates: " + lost + " of " + added + ", orders with wrong numbers: " + different.size()
				+ ": order " + first + " has " + database.order(first) + ", not " + state(acknowledged, first));
	}

	private static void addDifferences(Set<Long> orders, Stored database, Stored node, List<String> problems) {
		orders.stream()
			.filter((order) -> !node.order(order).equals(database.order(order)))
			.findFirst()
			.ifPresent((order) -> problems.add(node.place() + " answers that order " + order + " has "
					+ node.order(order) + ", but the database has " + database.order(order)));
	}

	private static State state(Map<Long, State> orders, long order) {
		return Objects.requireNonNull(orders.get(order));
	}

	/** Each item was added under a separate lock, so that tokens grow with the items. */
	private static void addBackwardToken(long order, List<Added> added, List<String> problems) {
		List<Added> items = added.stream()
			.filter((item) -> item.order() == order && item.token() != null)
			.sorted(Comparator.comparingInt(Added::items))
			.toList();
		for (int i = 1; i < items.size(); i++) {
			Added before = items.get(i - 1);
			Added after = items.get(i);
			if (token(after) <= token(before)) {
				problems.add("order " + order + " had item " + before.items() + " under token " + token(before)
						+ ", and item " + after.items() + " under token " + token(after));
				return;
			}
		}
	}

	private static long token(Added item) {
		return Objects.requireNonNull(item.token());
	}

}
