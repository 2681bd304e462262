/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The picture of the dashboard is drawn from the queries of its panels and from the
 * series of a real run. With {@code -Dreference.write=true} it is drawn again, and with
 * {@code -Ddashboard.record=true} the run is repeated before, which takes two minutes.
 */
class DashboardPictureTests {

	private static final Path FILES = Path.of("..", "docs", "dashboards");

	private static final Path PICTURE = FILES.resolve("dynamodb-lock.svg");

	private static final Path RUN = FILES.resolve("dynamodb-lock-run.txt");

	private static final Pattern METRIC = Pattern.compile("\\bdynamodb_lock_[a-z_]+");

	private static final Pattern TEMPLATE = Pattern.compile("\\{\\{([a-z_]+)}}");

	@Test
	void thePictureIsWhatThePanelsShowOfTheRun() throws Exception {
		boolean record = Boolean.getBoolean("dashboard.record");
		if (record) {
			DashboardRun.record().write(RUN, metrics());
		}
		String svg = draw();
		if (record || Boolean.getBoolean("reference.write")) {
			Files.writeString(PICTURE, svg);
		}
		assertThat(PICTURE).as("-Dreference.write=true draws it again").hasContent(svg);
	}

	private static List<String> metrics() throws IOException {
		return METRIC.matcher(Files.readString(FILES.resolve("dynamodb-lock.json")))
			.results()
			.map(MatchResult::group)
			.toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "avg(dynamodb_lock_job_late{})", "sum(dynamodb_lock_job_late{} offset 5m)",
			"sum(dynamodb_lock_job_late{name!~\"x\"})", "histogram_quantile(0.9, dynamodb_lock_job_late{})",
			"sum(rate(dynamodb_lock_job_late{}[5m]))", "sum(dynamodb_lock_job_late{}) > 1" })
	void anExpressionThatIsNotEvaluatedIsRefused(String expression) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Query(List.of()).evaluate(expression))
			.withMessageStartingWith("Not evaluated here: ");
	}

	@Test
	void aRateIsThatOfPrometheus() {
		List<Double> values = List.of(Double.NaN, 0.0, 0.0, 4.0, 8.0, 12.0, 2.0);
		Query query = new Query(List.of(new Recording.Series("a_total", Map.of("name", "x"), values)));
		double[] rates = Objects.requireNonNull(
				query.evaluate("sum by (name) (rate(a_total{}[$__rate_interval]))").get(Map.of("name", "x")));
		// From 0, the range is not extrapolated. The counter of a new process begins with
		// 0.
		assertThat(rates).containsExactly(Double.NaN, Double.NaN, 0, 0.5, 1.0, 1.5, 10 * 4 / 3.0 / 8);
	}

	@Test
	void onlySeriesThatHaveAValueAboveZeroAreKept() {
		List<Double> values = List.of(Double.NaN, 0.0, 2.0, 0.0);
		Query query = new Query(List.of(new Recording.Series("a", Map.of("name", "x"), values),
				new Recording.Series("a", Map.of("name", "y"), List.of(0.0, 0.0, 0.0, 0.0))));
		Map<Map<String, String>, double[]> result = query.evaluate("sum by (name) (a{}) > 0");
		assertThat(result).containsOnlyKeys(Map.of("name", "x"));
		assertThat(result.get(Map.of("name", "x"))).containsExactly(Double.NaN, Double.NaN, 2, Double.NaN);
	}

	private static String draw() throws IOException {
		Map<?, ?> dashboard = new Yaml().load(Files.readString(FILES.resolve("dynamodb-lock.json")));
		Query query = new Query(Recording.read(RUN));
		List<Map<?, ?>> panels = list(dashboard, "panels");
		int rows = panels.stream()
			.map(DashboardPictureTests::place)
			.mapToInt((place) -> place.y() + place.h())
			.max()
			.orElseThrow();
		Picture picture = new Picture(rows, "The dashboard after a run of two minutes",
				"Panels of locks and jobs of three nodes, of which one crashes after 40 s and starts again.");
		panels.forEach((panel) -> draw(picture, query, panel));
		return picture.svg();
	}

	private static void draw(Picture picture, Query query, Map<?, ?> panel) {
		String title = String.valueOf(panel.get("title"));
		Map<String, double[]> lines = new TreeMap<>();
		for (Map<?, ?> target : list(panel, "targets")) {
			String expression = String.valueOf(target.get("expr"));
			Map<Map<String, String>, double[]> found = query.evaluate(expression);
			assertThat(found).as("%s: -Ddashboard.record=true repeats the run, for a new metric", expression)
				.isNotEmpty();
			found.forEach(
					(labels, values) -> lines.put(legend(String.valueOf(target.get("legendFormat")), labels), values));
		}
		switch (String.valueOf(panel.get("type"))) {
			case "row" -> picture.row(place(panel), title);
			case "stat" -> {
				double[] values = lines.values().iterator().next();
				picture.stat(place(panel), title, values[values.length - 1]);
			}
			case "timeseries" -> picture.graph(place(panel), title, unit(panel), drawsBars(panel), lines);
			default -> throw new IllegalArgumentException("A panel that is not drawn: " + panel.get("type"));
		}
	}

	private static String legend(String format, Map<String, String> labels) {
		return TEMPLATE.matcher(format).replaceAll((label) -> labels.getOrDefault(label.group(1), ""));
	}

	private static String unit(Map<?, ?> panel) {
		return String.valueOf(defaults(panel).get("unit"));
	}

	private static boolean drawsBars(Map<?, ?> panel) {
		return defaults(panel).get("custom") instanceof Map<?, ?> custom && "bars".equals(custom.get("drawStyle"));
	}

	private static Map<?, ?> defaults(Map<?, ?> panel) {
		return (panel.get("fieldConfig") instanceof Map<?, ?> config
				&& config.get("defaults") instanceof Map<?, ?> defaults) ? defaults : Map.of();
	}

	private static Picture.Place place(Map<?, ?> panel) {
		return Picture.Place.of((Map<?, ?>) Objects.requireNonNull(panel.get("gridPos")));
	}

	@SuppressWarnings("unchecked")
	private static List<Map<?, ?>> list(Map<?, ?> object, String name) {
		return (object.get(name) instanceof List<?> list) ? (List<Map<?, ?>>) list : List.of();
	}

}
