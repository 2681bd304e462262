/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.github.dynamodblock.samples.ordersapi.Receipt;
import io.github.dynamodblock.samples.ordersapi.trial.Answer.Added;
import io.github.dynamodblock.samples.ordersapi.trial.Answer.Failed;
import io.github.dynamodblock.samples.ordersapi.trial.Answer.Refused;

/**
 * Whether what the nodes acknowledged is what is stored.
 *
 * @param passed whether all numbers agree
 * @param line what is said about it, beginning with {@code OK} or {@code FAILED}
 */
record Verdict(boolean passed, String line) {

	/**
	 * Judges a trial.
	 * @param answers what came of each request
	 * @param database what the database has afterwards
	 * @param nodes what the nodes say afterwards
	 * @return the verdict
	 */
	static Verdict of(List<Answer> answers, Stored database, List<Stored> nodes) {
		Map<Long, OrderState> acknowledged = acknowledged(answers);
		List<Added> added = all(Added.class, answers);
		List<String> problems = new ArrayList<>();
		addFailedRequests(all(Failed.class, answers), problems);
		if (added.isEmpty()) {
			problems.add("no item was added, which shows nothing");
		}
		addDifferences(acknowledged, database, added.size(), problems);
		acknowledged.keySet().forEach((order) -> addBackwardToken(order, added, problems));
		nodes.forEach((node) -> addDifferences(acknowledged.keySet(), database, node, problems));
		if (!problems.isEmpty()) {
			return new Verdict(false, "FAILED " + String.join("; ", problems));
		}
		return new Verdict(true,
				"OK requests: " + answers.size() + ", added: " + added.size() + ", refused: "
						+ all(Refused.class, answers).size() + ", lost updates: 0; the numbers of all orders ("
						+ acknowledged.size() + ") agree in the database and on all nodes (" + nodes.size() + ")");
	}

	/**
	 * What the orders must be if nothing is lost.
	 * @return the orders by their numbers
	 */
	static Map<Long, OrderState> acknowledged(List<Answer> answers) {
		Map<Long, OrderState> orders = new TreeMap<>();
		answers.forEach((answer) -> orders.putIfAbsent(answer.order(), OrderState.EMPTY));
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
					+ ", of which nobody knows what they changed, the first for order " + failed.get(0).order() + ": "
					+ failed.get(0).what());
		}
	}

	private static void addDifferences(Map<Long, OrderState> acknowledged, Stored database, int added,
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
			.ifPresent((order) -> problems.add(node.place() + " says that order " + order + " has " + node.order(order)
					+ ", but the database has " + database.order(order)));
	}

	private static OrderState state(Map<Long, OrderState> orders, long order) {
		return Objects.requireNonNull(orders.get(order));
	}

	/**
	 * Each item was added under a lock of its own, so that tokens grow with the items.
	 */
	private static void addBackwardToken(long order, List<Added> added, List<String> problems) {
		List<Receipt> receipts = added.stream()
			.map(Added::receipt)
			.filter((receipt) -> receipt.id() == order && receipt.fencingToken() != null)
			.sorted(Comparator.comparingInt(Receipt::items))
			.toList();
		for (int i = 1; i < receipts.size(); i++) {
			Receipt before = receipts.get(i - 1);
			Receipt after = receipts.get(i);
			if (token(after) <= token(before)) {
				problems.add("order " + order + " had item " + before.items() + " under token " + token(before)
						+ ", and item " + after.items() + " under token " + token(after));
				return;
			}
		}
	}

	private static long token(Receipt receipt) {
		return Objects.requireNonNull(receipt.fencingToken());
	}

}
