/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.dashboard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.dashboard.Recording.Series;
import org.jspecify.annotations.Nullable;

/**
 * The part of Prometheus' query language that the dashboard uses: the sum, maximum or
 * minimum of series or of their rates, by labels, the quotient of two of them, and
 * whether that is greater than zero. Other expressions are refused.
 */
final class Query {

	/** Grafana's {@code $__rate_interval}: four times the interval of the scrapes. */
	private static final int RATE_SECONDS = 4 * Recording.INTERVAL_SECONDS;

	private static final String ABOVE_ZERO = " > 0";

	private static final Pattern AGGREGATION = Pattern.compile("(sum|max|min)(?: by \\(([^)]*)\\) )?\\((.*)\\)");

	private static final Pattern RATE = Pattern.compile("(rate|increase)\\((.*)\\[(.*)]\\)");

	private static final Pattern SELECTOR = Pattern.compile("([a-z_]+)\\{(.*)}");

	private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|!=|=)\"([^\"]*)\"");

	private static final Pattern RANGE = Pattern.compile("(\\d+)h");

	private final List<Series> recording;

	Query(List<Series> recording) {
		this.recording = recording;
	}

	/**
	 * Evaluates an expression at each scrape.
	 * @return a value for each scrape, by the labels of the result
	 * @throws IllegalArgumentException if the expression is not one of those above
	 */
	Map<Map<String, String>, double[]> evaluate(String expression) {
		if (expression.endsWith(ABOVE_ZERO)) {
			return aboveZero(evaluate(expression.substring(0, expression.length() - ABOVE_ZERO.length())));
		}
		String[] operands = expression.split(" / ", -1);
		Map<Map<String, String>, double[]> result = aggregate(operands[0]);
		for (int i = 1; i < operands.length; i++) {
			Map<Map<String, String>, double[]> divisors = aggregate(operands[i]);
			result.keySet().retainAll(divisors.keySet());
			result.forEach((labels, values) -> merge(values, divisors.get(labels), (a, b) -> a / b));
		}
		return result;
	}

	/** Without the other values, and without a series that has no value left. */
	private static Map<Map<String, String>, double[]> aboveZero(Map<Map<String, String>, double[]> result) {
		result.values()
			.forEach((values) -> Arrays.setAll(values, (index) -> (values[index] > 0) ? values[index] : Double.NaN));
		result.values().removeIf((values) -> Arrays.stream(values).allMatch(Double::isNaN));
		return result;
	}

	private Map<Map<String, String>, double[]> aggregate(String expression) {
		Matcher aggregation = match(AGGREGATION, expression);
		DoubleBinaryOperator operator = switch (aggregation.group(1)) {
			case "sum" -> Double::sum;
			case "max" -> Math::max;
			default -> Math::min;
		};
		Map<Map<String, String>, double[]> result = new LinkedHashMap<>();
		for (Series series : values(aggregation.group(3))) {
			double[] values = series.values().stream().mapToDouble(Double::doubleValue).toArray();
			double[] present = result.putIfAbsent(group(series, aggregation.group(2)), values);
			if (present != null) {
				merge(present, values,
						(a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : operator.applyAsDouble(a, b));
			}
		}
		return result;
	}

	private static Matcher match(Pattern pattern, String expression) {
		Matcher matcher = pattern.matcher(expression);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("Not evaluated here: " + expression + "; expected " + pattern);
		}
		return matcher;
	}

	private static void merge(double[] values, double @Nullable [] others, DoubleBinaryOperator operator) {
		for (int i = 0; i < values.length && others != null; i++) {
			values[i] = operator.applyAsDouble(values[i], others[i]);
		}
	}

	private static Map<String, String> group(Series series, @Nullable String labels) {
		Map<String, String> group = new TreeMap<>();
		if (labels != null) {
			for (String label : labels.split(", ", -1)) {
				group.put(label, series.labels().getOrDefault(label, ""));
			}
		}
		return group;
	}

	private List<Series> values(String expression) {
		Matcher rate = RATE.matcher(expression);
		if (!rate.matches()) {
			return select(expression);
		}
		int range = rate.group(3).equals("$__rate_interval") ? RATE_SECONDS
				: Integer.parseInt(match(RANGE, rate.group(3)).group(1)) * 3600;
		double divisor = rate.group(1).equals("rate") ? range : 1;
		return select(rate.group(2)).stream().map((series) -> {
			List<Double> values = new ArrayList<>();
			for (int i = 0; i < series.values().size(); i++) {
				values.add(increase(series.values(), i, range) / divisor);
			}
			return new Series(series.metric(), series.labels(), values);
		}).toList();
	}

	private List<Series> select(String expression) {
		Matcher selector = match(SELECTOR, expression);
		List<MatchResult> matchers = MATCHER.matcher(selector.group(2)).results().toList();
		String read = matchers.stream().map(MatchResult::group).collect(Collectors.joining(", "));
		if (!read.equals(selector.group(2))) {
			throw new IllegalArgumentException("Not evaluated here: " + expression + "; read: " + read);
		}
		return this.recording.stream()
			.filter((series) -> series.metric().equals(selector.group(1)))
			.filter((series) -> matchers.stream().allMatch((matcher) -> matches(series, matcher)))
			.toList();
	}

	private static boolean matches(Series series, MatchResult matcher) {
		String value = series.labels().getOrDefault(matcher.group(1), "");
		String expected = matcher.group(3);
		return switch (matcher.group(2)) {
			case "=" -> value.equals(expected);
			case "!=" -> !value.equals(expected);
			// A variable of the dashboard: all.
			default -> expected.startsWith("$") || value.matches(expected);
		};
	}

	/**
	 * The increase of a counter, as Prometheus extrapolates it to the range: to its ends
	 * if samples come near to them, by half an interval otherwise, and not below 0.
	 */
	private static double increase(List<Double> values, int now, int range) {
		int window = range / Recording.INTERVAL_SECONDS;
		int[] samples = IntStream.rangeClosed(Math.max(0, now - window + 1), now)
			.filter((index) -> !Double.isNaN(values.get(index)))
			.toArray();
		if (samples.length < 2) {
			return Double.NaN;
		}
		int first = samples[0];
		int last = samples[samples.length - 1];
		double increase = 0;
		for (int i = 1; i < samples.length; i++) {
			double value = values.get(samples[i]);
			double before = values.get(samples[i - 1]);
			increase += (value < before) ? value : value - before;
		}
		double sampled = last - first;
		double interval = sampled / (samples.length - 1);
		double toStart = near(first - (now - window), interval);
		if (increase > 0) {
			toStart = Math.min(toStart, sampled * values.get(first) / increase);
		}
		return increase * (sampled + toStart + near(now - last, interval)) / sampled;
	}

	private static double near(double distance, double interval) {
		return (distance >= 1.1 * interval) ? interval / 2 : distance;
	}

}
