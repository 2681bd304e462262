/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

class CostReportTests {

	private final CostReport report = new CostReport(
			List.of(new ClientCost("bare SDK", 2, 540.4, 770, 123.5, 1012, 12.14),
					new ClientCost(CycleClient.LOCKS, 2, 600, 800, 130, 925, 12.345),
					new ClientCost("this & <that>", 3, 0, 0, 0, 0, 0)));

	@Test
	void theTableHasARowForEachClient() {
		assertThat(this.report.table().lines()).hasSize(5)
			.contains("| bare SDK | 2 | 124 | 540 | 770 | 1012 | 12.14 |",
					"| dynamodb-lock | 2 | 130 | 600 | 800 | 925 | 12.35 |")
			.allSatisfy((line) -> assertThat(line.chars().filter((character) -> character == '|')).hasSize(8));
	}

	@Test
	void thePictureIsWellFormedAndHasABarForEachNumber() throws Exception {
		Document picture = parsed(this.report.picture());
		assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
		assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(6 * 3);
		assertThat(picture.getElementsByTagName("g").getLength()).isEqualTo(6);
		assertThat(picture.getDocumentElement().getTextContent()).contains("this & <that>");
	}

	@Test
	void theBarsOfAPanelAreInProportionAndStayInThePicture() throws Exception {
		Document picture = parsed(this.report.picture());
		double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
		NodeList bars = picture.getElementsByTagName("rect");
		double two = length(bars, 0);
		double three = length(bars, 2);
		assertThat(two / three).isBetween(0.66, 0.67);
		for (int i = 0; i < bars.getLength(); i++) {
			assertThat(length(bars, i)).isBetween(1.0, width / 2);
		}
	}

	@Test
	void onlyTheLockClientStandsOut() {
		assertThat(this.report.picture().split("class=\"ours\"", -1)).hasSize(6 + 1);
	}

	@Test
	void writesThePageWithThePictureBesideIt(@TempDir Path directory) throws Exception {
		Path results = directory.resolve("results");
		this.report.write(results);
		assertThat(Files.readString(results.resolve("clients.md"))).contains(this.report.table(), "(clients.svg)",
				"load average");
		assertThat(Files.readString(results.resolve("clients.svg"))).isEqualTo(this.report.picture());
	}

	private static double length(NodeList bars, int index) {
		return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
	}

	private static Document parsed(String picture) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
	}

}
