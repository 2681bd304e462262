/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import io.github.dynamodblock.benchmarks.Measure.Part;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

class ClientsReportTests {

	private static final String LOCKS = Libraries.LOCKS.name();

	private static final String AWS = Libraries.AWS.name();

	private static final String SHEDLOCK = Libraries.SHEDLOCK.name();

	private final ClientResults results = new ClientResults();

	@BeforeEach
	void twoMeasures() {
		this.results.put(Measure.HAND_OFF, AWS, 30);
		this.results.put(Measure.HAND_OFF, SHEDLOCK, 20.4);
		this.results.put(Measure.HAND_OFF, LOCKS, 20.2);
		this.results.put(Measure.WAITING_UNITS, AWS, 1);
		this.results.put(Measure.WAITING_UNITS, LOCKS, 3);
	}

	@Test
	void theTableHasARowForEachClientInTheOrderOfTheLibraries() {
		assertThat(this.results.table(Part.HAND_OFF).lines().skip(2)).containsExactly("| dynamodb-lock | 20 | 3.0 |",
				"| ShedLock | 20 | not measured |", "| AWS lock client | 30 | 1.0 |");
	}

	@Test
	void thePeersThatAreBetterAreListedUnlessTheNumbersAreShownAsEqual() {
		assertThat(this.results.lost().lines().skip(2))
			.containsExactly("| units/s of a waiting client | 3.0 | AWS lock client 1.0 |");
	}

	@Test
	void moreAcquisitionsAreBetterAndTheBareSdkIsNoPeer() {
		this.results.put(Measure.CYCLES_A_SECOND, CycleClient.BARE, 900);
		this.results.put(Measure.CYCLES_A_SECOND, LOCKS, 700);
		this.results.put(Measure.CYCLES_A_SECOND, AWS, 800);
		this.results.put(Measure.CYCLES_A_SECOND, SHEDLOCK, 600);
		assertThat(this.results.lost()).contains("| cycles/s, 16 threads, 16 keys | 700 | AWS lock client 800 |");
	}

	@Test
	void aFailureIsNotedAndEndsNothing() throws Exception {
		this.results.attempt("takeover", () -> {
			throw new IllegalStateException("no table");
		});
		assertThat(this.results.failures()).singleElement().asString().contains("takeover", "no table");
		assertThat(new ClientsReport(this.results, 0, 0).page()).contains("**Not measured in this run:** takeover");
	}

	@Test
	void thePictureHasABarForEachNumberInProportionAndWithinTheChart() throws Exception {
		this.results.put(Measure.TWO_RATIO, AWS, Double.POSITIVE_INFINITY);
		String svg = this.results.picture("this & <that>",
				List.of(Measure.HAND_OFF, Measure.WAITING_UNITS, Measure.TWO_RATIO));
		Document picture = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
		assertThat(picture.getDocumentElement().getTextContent()).contains("this & <that>", "∞");
		NodeList bars = picture.getElementsByTagName("rect");
		// The first one is the card. The clients are in the order of the tables.
		assertThat(bars.getLength()).isEqualTo(1 + 6);
		assertThat(length(bars, 1) / length(bars, 3)).isBetween(0.66, 0.67);
		double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
		for (int i = 1; i < bars.getLength(); i++) {
			assertThat(length(bars, i)).isBetween(1.0, width / 2);
		}
		assertThat(svg.split("class=\"ours\"", -1)).hasSize(2 + 1);
	}

	@Test
	void theBareSdkDoesNotLookLikeAPeer() {
		this.results.put(Measure.MILLIS, CycleClient.BARE, 12);
		this.results.put(Measure.MILLIS, LOCKS, 13);
		this.results.put(Measure.MILLIS, AWS, 17);
		this.results.put(Measure.MILLIS, SHEDLOCK, 11);
		assertThat(this.results.picture("title", List.of(Measure.MILLIS))).containsOnlyOnce("class=\"reference\"")
			.containsOnlyOnce("class=\"ours\"");
		assertThat(this.results.description(List.of(Measure.MILLIS)))
			.endsWith("ms a cycle, 1 thread, p50: dynamodb-lock 13.0, bare SDK 12.0, peers 11.0 to 17.0.");
	}

	/**
	 * The command that measures writes the tables and the pictures. With
	 * {@code -Dreference.write=true}, the pictures are drawn again from the tables.
	 */
	@Test
	void thePicturesAndTheirDescriptionsShowTheTablesOfThePage() throws Exception {
		Path docs = Path.of("../../docs");
		String page = Files.readString(docs.resolve("benchmarks.md"));
		ClientResults shown = shownBy(page);
		for (Map.Entry<String, String> picture : ClientsReport.pictures(shown).entrySet()) {
			Path file = docs.resolve("images").resolve(picture.getKey());
			if (Boolean.getBoolean("reference.write")) {
				Files.writeString(file, picture.getValue());
			}
			assertThat(file).as("-Dreference.write=true draws it again").hasContent(picture.getValue());
		}
		assertThat(page).contains(ClientsReport.links(shown).values());
	}

	/**
	 * The numbers of the tables, whose columns are measures of one part after another.
	 */
	private static ClientResults shownBy(String page) {
		ClientResults shown = new ClientResults();
		List<Measure> columns = List.of();
		Deque<Measure> left = new ArrayDeque<>(List.of(Measure.values()));
		for (String line : page.lines().toList()) {
			String[] cells = line.split("\\s*\\|\\s*", -1);
			if (line.startsWith("| client |") && cells[2].equals(left.element().title())) {
				columns = new ArrayList<>();
				while (!left.isEmpty() && columns.size() < cells.length - 3) {
					columns.add(left.remove());
				}
				assertThat(columns).extracting(Measure::title)
					.containsExactly(Arrays.copyOfRange(cells, 2, cells.length - 1));
			}
			else if (columns.isEmpty() || !line.startsWith("| ") || columns.get(0) == Measure.LATE_RELEASE) {
				columns = line.startsWith("|") ? columns : List.of();
			}
			else {
				for (int i = 0; i < columns.size(); i++) {
					String number = cells[i + 2].replace("∞", "Infinity");
					if (!number.equals("not measured") && !number.startsWith("---")) {
						shown.put(columns.get(i), cells[1], Double.parseDouble(number));
					}
				}
			}
		}
		assertThat(left).isEmpty();
		return shown;
	}

	private static double length(NodeList bars, int index) {
		return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
	}

}
