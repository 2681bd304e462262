/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page.browser;

import java.util.List;

import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page as somebody uses it.
 */
final class LockPage {

	private final ChromeDriver driver;

	LockPage(Browser browser) {
		this.driver = browser.driver();
	}

	void open(int port) {
		this.driver.get("http://127.0.0.1:" + port + "/");
	}

	String connection() {
		return text("connection");
	}

	String empty() {
		return text("empty");
	}

	/** What the page says about the age of what it shows. */
	String stale() {
		return text("stale");
	}

	/** What the page says about what was asked by hand. */
	String answer() {
		return text("answer");
	}

	private String text(String id) {
		return this.driver.findElement(By.id(id)).getText();
	}

	/** The names of the locks that are shown, with their namespaces. */
	List<String> locks() {
		return rows().valueStream().map((row) -> row.path("lock").asString()).toList();
	}

	String owner(String lock) {
		return row(lock).path("owner").asString();
	}

	String token(String lock) {
		return row(lock).path("token").asString();
	}

	String timeLeft(String lock) {
		return row(lock).path("left").asString();
	}

	boolean isMine(String lock) {
		return row(lock).path("mine").asBoolean();
	}

	private JsonNode row(String lock) {
		return rows().valueStream()
			.filter((row) -> row.path("lock").asString().equals(lock))
			.findFirst()
			.orElseGet(MissingNode::getInstance);
	}

	/** All rows at one moment, since they come and go. */
	private JsonNode rows() {
		return JsonMapper.shared().readTree(run("""
				const text = (row, selector) => row.querySelector(selector).textContent;
				return JSON.stringify([...document.querySelectorAll('#rows tr')].map((row) => ({
					lock: text(row, '.name'), owner: text(row, '.owner span'), left: text(row, '.left span'),
					token: text(row, '.number span'), mine: !row.querySelector('.mine').hidden })));"""));
	}

	/** Chooses a lock of the list. */
	void choose(String lock) {
		this.driver.findElements(By.cssSelector("#rows .name"))
			.stream()
			.filter((name) -> name.getText().equals(lock))
			.findFirst()
			.orElseThrow()
			.click();
	}

	/** Goes to a lock of the list, as the tabulator does. */
	void focus(String lock) {
		this.driver.findElements(By.cssSelector("#rows .name"))
			.stream()
			.filter((name) -> name.getText().equals(lock))
			.findFirst()
			.orElseThrow()
			.sendKeys("");
	}

	/** The text of what has the focus. */
	String focused() {
		return run("return document.activeElement.textContent;");
	}

	void filter(String namespace) {
		fill("filter", namespace);
	}

	void fill(String id, String value) {
		WebElement field = this.driver.findElement(By.id(id));
		field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE);
		field.sendKeys(value);
	}

	String value(String id) {
		return String.valueOf(this.driver.findElement(By.id(id)).getDomProperty("value"));
	}

	void press(String operation) {
		this.driver.findElement(By.cssSelector("#form button[value=" + operation + "]")).click();
	}

	void useToken(String token) {
		fill("token", token);
		this.driver.findElement(By.id("token")).sendKeys(Keys.ENTER);
	}

	void awaitLive() {
		Awaitility.await().until(() -> connection().equals("Live"));
	}

	void awaitLock(String lock) {
		Awaitility.await().until(() -> locks().contains(lock));
	}

	void awaitNoLock(String lock) {
		Awaitility.await().until(() -> !locks().contains(lock));
	}

	void awaitAnswer(String part) {
		Awaitility.await().untilAsserted(() -> assertThat(answer()).contains(part));
	}

	/** By how much the content is wider than the screen. */
	long overflow() {
		Object overflow = this.driver
			.executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
		return ((Number) overflow).longValue();
	}

	/** What reaches farthest to the right. */
	String widest() {
		return run("""
				return [...document.querySelectorAll('body *')]
					.sort((one, other) => other.getBoundingClientRect().right - one.getBoundingClientRect().right)
					.slice(0, 5).map((node) => node.outerHTML.slice(0, 80)).join(', ')""");
	}

	String run(String script) {
		return String.valueOf(this.driver.executeScript(script));
	}

}
