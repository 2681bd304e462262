/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.FileSystemUtils;

/**
 * A headless Chromium with nothing in its profile, which resolves no name and reaches
 * this machine only.
 */
final class Browser implements AutoCloseable {

	private static final Path BINARY = Path.of(System.getProperty("browser.binary", "/usr/bin/chromium"));

	private static final Path DRIVER = Path.of(System.getProperty("browser.driver", "/usr/bin/chromedriver"));

	private final Path profile;

	private final ChromeDriver driver;

	private Browser(Path profile, ChromeDriver driver) {
		this.profile = profile;
		this.driver = driver;
	}

	static Browser start() {
		require(BINARY, "browser.binary");
		require(DRIVER, "browser.driver");
		try {
			Path profile = Files.createTempDirectory("page-in-browser");
			// Both paths are given, so that Selenium has nothing to look for or to load.
			ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile())
				.build();
			return new Browser(profile, new ChromeDriver(service, options(profile)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void require(Path program, String property) {
		if (!Files.isExecutable(program)) {
			throw new IllegalStateException("This test needs a browser, and " + program
					+ " is not there. Install chromium and chromium-driver (on Debian, root does it by "
					+ ".ci/install-browser), or say where it is by -D" + property + "=<path>.");
		}
	}

	private static ChromeOptions options(Path profile) {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		logs.enable(LogType.PERFORMANCE, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(BINARY.toFile());
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-GB",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + profile);
		return options;
	}

	ChromeDriver driver() {
		return this.driver;
	}

	/** A window's content may be narrower than a window. */
	void resize(int width, int height, boolean phone) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", phone ? 2 : 1, "mobile", phone));
	}

	void dark(boolean dark) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
	}

	void screenshot(Path file) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What the page asked for since the last call of this. */
	List<String> requests() {
		return this.driver.manage()
			.logs()
			.get(LogType.PERFORMANCE)
			.getAll()
			.stream()
			.map((entry) -> JsonMapper.shared().readTree(entry.getMessage()).path("message"))
			.filter((message) -> message.path("method").asString().equals("Network.requestWillBeSent"))
			.map(Browser::url)
			// The browser's own pages are in it, and images within style sheets.
			.filter((url) -> !url.startsWith("chrome") && !url.startsWith("data:"))
			.toList();
	}

	private static String url(JsonNode message) {
		return message.path("params").path("request").path("url").asString();
	}

	/**
	 * What the console complains of since the last call of this, but for refusals and a
	 * service that is not there, which the browser puts there too.
	 */
	List<String> complaints() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.filter((message) -> !message
				.matches(".*status of (400|401|423).*|.*net::ERR_(CONNECTION|INCOMPLETE|EMPTY).*"))
			.toList();
	}

	@Override
	public void close() {
		this.driver.quit();
		try {
			FileSystemUtils.deleteRecursively(this.profile);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
