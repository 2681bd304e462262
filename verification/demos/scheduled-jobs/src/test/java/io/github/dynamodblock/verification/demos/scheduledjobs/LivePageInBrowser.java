/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of jobs and locks in a headless Chromium that reaches this machine only.
 * Compiled and run under the profile {@code browser} only.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LivePageInBrowser {

	private static final Path SCREENSHOTS = Path.of("target/screenshots");

	private static final Duration SOON = Duration.ofSeconds(40);

	@TempDir
	private static Path profile;

	private static EmbeddedDynamoDb dynamoDb;

	private static ConfigurableApplicationContext node;

	private static ChromeDriver browser;

	@BeforeAll
	static void start() {
		dynamoDb = EmbeddedDynamoDb.start();
		node = LocalNode.start("node-1", dynamoDb, (event) -> {
		});
		Path binary = program("browser.binary", "/usr/bin/chromium");
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(program("browser.driver", "/usr/bin/chromedriver").toFile())
			.build();
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(binary.toFile());
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-GB",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + profile);
		browser = new ChromeDriver(service, options);
	}

	private static Path program(String property, String usual) {
		Path program = Path.of(System.getProperty(property, usual));
		assertThat(program).as("a browser (root installs it on Debian by .ci/install-browser; -D%s=<path>)", property)
			.isExecutable();
		return program;
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.quit();
		}
		node.close();
		dynamoDb.close();
	}

	@BeforeEach
	void resize() {
		resize(1240, 900, false);
	}

	private static void resize(int width, int height, boolean phone) {
		browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", phone ? 2 : 1, "mobile", phone));
	}

	@AfterEach
	void consoleIsCleanAndAllIsFromThisServer() {
		assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
			.filteredOn((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.extracting(LogEntry::getMessage)
			// The server that the test restarts is away for a while.
			.filteredOn((message) -> !message.contains("net::ERR_"))
			.isEmpty();
		assertThat(rows("return performance.getEntriesByType('resource').map((entry) => [entry.name])"))
			.allMatch((resource) -> resource.get(0).startsWith("http://127.0.0.1:"));
	}

	@Test
	void jobsAndLocksAreShownAsTheyChange() throws Exception {
		try (LivePage page = open(0)) {
			awaitText("connection", "Live");
			awaitRow("jobs", "outbox", Job.OUTBOX.cron().toString(), "finished", "node-1", "succeeded");
			String tick = job("outbox").get(3);
			Awaitility.await().atMost(SOON).until(() -> !job("outbox").get(3).equals(tick));
			awaitRow("locks", Traffic.lockOf("alice"), "node-1");
			assertThat(page.address()).isEqualTo(browser.getCurrentUrl());
		}
	}

	@Test
	void runThatGoesOnIsShownWithItsBegin() throws Exception {
		try (LivePage page = open(0)) {
			node.publishEvent(new ApplicationNode.Order(ObservedWork.LONG_REPORTS));

			awaitRow("jobs", Job.REPORT.key(), "running since", "node-1");
			awaitRow("locks", Job.REPORT.key(), "node-1");
			screenshot("running");
			node.publishEvent(new ApplicationNode.Order(ObservedWork.SHORT_REPORTS));
			awaitRow("jobs", Job.REPORT.key(), "finished", "succeeded");
			assertThat(page.address()).isEqualTo(browser.getCurrentUrl());
		}
	}

	@Test
	void lineOfTheTimelineIsShownAsItComesAndIsTextWhateverIsInIt() throws Exception {
		try (LivePage page = open(0)) {
			String markup = "<img src=x onerror=\"document.title='broken in'\">";
			page.addRow(List.of("10:00:00.000", "node-1", "begins", "account:alice", "", "", "41"));
			page.addRow(List.of("10:00:01.000", "node-1", markup, "<b>key</b>", "10:00:02", "1", "42"));

			awaitRow("timeline", "10:00:01.000", markup, "<b>key</b>", "10:00:02", "42");
			assertThat(rowsOf("timeline").get(0)).contains(markup);
			screenshot("timeline");
			assertThat(browser.findElements(By.cssSelector("#timeline img, #timeline b"))).isEmpty();
			assertThat(browser.getTitle()).isEqualTo("Jobs and locks");
		}
	}

	@Test
	void pageWhoseServerRestartsShowsThatAndConnectsAgain() throws Exception {
		int port;
		try (LivePage page = open(0)) {
			port = URI.create(page.address()).getPort();
			page.addRow(List.of("10:00:00.000", "node-1", "of the first server"));
			awaitRow("timeline", "of the first server");
		}
		awaitText("connection", "Connection lost, trying again");
		screenshot("lost");
		assertThat(rowsOf("jobs")).isNotEmpty();

		try (LivePage again = LivePage.start(dynamoDb.endpoint().toString(), port)) {
			again.addRow(List.of("10:00:05.000", "node-1", "of the second server"));
			awaitText("connection", "Live");
			awaitRow("timeline", "of the second server");
			assertThat(rowsOf("timeline")).hasSize(1);
		}
	}

	@Test
	void phoneShowsThePageWithoutScrollingItSideways() throws Exception {
		resize(360, 740, true);
		try (LivePage page = open(0)) {
			awaitRow("jobs", "outbox", "node-1");
			screenshot("phone");
			assertThat(rows(
					"const page = document.documentElement; return [[String(page.scrollWidth - page.clientWidth)]]"))
				.containsExactly(List.of("0"));
			assertThat(page.address()).isEqualTo(browser.getCurrentUrl());
		}
	}

	private static void screenshot(String name) throws IOException {
		Files.createDirectories(SCREENSHOTS);
		Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
	}

	private static LivePage open(int port) throws Exception {
		LivePage page = LivePage.start(dynamoDb.endpoint().toString(), port);
		browser.get(page.address());
		return page;
	}

	private static void awaitText(String id, String text) {
		Awaitility.await().atMost(SOON).until(() -> browser.findElement(By.id(id)).getText().equals(text));
	}

	/** Awaits a row with all of these texts in its cells. */
	private static void awaitRow(String table, String... texts) {
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(rowsOf(table))
				.anySatisfy((row) -> assertThat(String.join("|", row)).contains(texts)));
	}

	private static List<String> job(String name) {
		return rowsOf("jobs").stream().filter((row) -> row.get(0).equals(name)).findFirst().orElseThrow();
	}

	/** All rows at one time, since they come and go. */
	private static List<List<String>> rowsOf(String table) {
		return rows("return [...document.querySelectorAll('#" + table
				+ " tr')].map((row) => [...row.children].map((cell) => cell.textContent))");
	}

	@SuppressWarnings("unchecked")
	private static List<List<String>> rows(String script) {
		return (List<List<String>>) Objects.requireNonNull(browser.executeScript(script));
	}

}
