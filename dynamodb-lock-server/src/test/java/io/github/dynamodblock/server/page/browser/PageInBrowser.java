/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.lock.Holder;
import io.github.dynamodblock.server.lock.LockName;
import io.github.dynamodblock.server.lock.Locks;
import io.github.dynamodblock.server.security.TokenIssuer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What somebody sees and does on the page, in a real browser.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PageInBrowser {

	private static final Path SCREENSHOTS = Path
		.of(Boolean.getBoolean("screenshots.write") ? "docs" : "target/screenshots");

	private static Browser browser;

	private static ServiceInstance service;

	private LockPage page;

	private LockServerCalls elsewhere;

	@BeforeAll
	static void start() {
		browser = Browser.start();
		service = ServiceInstance.start("authentication.disabled=true", "dynamodb-lock.table.name=page");
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.close();
		}
		if (service != null) {
			service.close();
		}
	}

	@BeforeEach
	void open() {
		this.elsewhere = service.calls();
		this.page = new LockPage(browser);
		browser.resize(1240, 800, false);
		browser.dark(false);
		this.page.open(service.port());
		this.page.awaitLive();
	}

	@AfterEach
	void nothingLeftTheMachineAndTheConsoleIsClean(TestInfo test) {
		browser.screenshot(Path.of("target/screenshots/after", test.getDisplayName().replace("()", "") + ".png"));
		assertThat(browser.requests()).isNotEmpty().allMatch((url) -> url.startsWith("http://127.0.0.1:"));
		assertThat(browser.complaints()).isEmpty();
	}

	@Test
	void aLockIsAcquiredRefusedToOthersRenewedAndReleasedByHand() {
		this.page.filter("orders");
		Awaitility.await().until(() -> this.page.empty().equals("No lock is held in orders."));

		fill("orders", "order-42", "my-instance", "50");
		this.page.press("acquire");
		this.page.awaitAnswer("Acquired");
		this.page.awaitLock("orders / order-42");
		assertThat(this.page.owner("orders / order-42")).isEqualTo("anonymous");
		assertThat(this.page.isMine("orders / order-42")).isTrue();
		assertThat(this.page.answer()).contains("Fencing token " + this.page.token("orders / order-42"));
		Awaitility.await().until(() -> secondsLeft("orders / order-42") < 49);

		this.page.fill("instance-id", "another-instance");
		this.page.press("acquire");
		this.page.awaitAnswer("423 Locked\nAnother client holds orders/order-42.");
		this.page.press("release");
		this.page.awaitAnswer("It was not released");

		this.page.fill("instance-id", "my-instance");
		this.page.press("renew");
		this.page.awaitAnswer("Renewed");
		Awaitility.await().until(() -> secondsLeft("orders / order-42") > 60);

		this.page.press("release");
		this.page.awaitAnswer("Released");
		this.page.awaitNoLock("orders / order-42");
	}

	@Test
	void whatOthersDoIsSeenLiveAndARowFillsTheForm() {
		Answer acquired = this.elsewhere.acquire("live-ns", "elsewhere", "an-instance", 60);

		this.page.awaitLock("live-ns / elsewhere");
		assertThat(this.page.token("live-ns / elsewhere")).isEqualTo(String.valueOf(acquired.number("fencingToken")));
		assertThat(this.page.isMine("live-ns / elsewhere")).isFalse();
		this.page.choose("live-ns / elsewhere");
		assertThat(this.page.value("namespace")).isEqualTo("live-ns");
		assertThat(this.page.value("lock-name")).isEqualTo("elsewhere");

		this.elsewhere.release("live-ns", "elsewhere", "an-instance");
		this.page.awaitNoLock("live-ns / elsewhere");
	}

	@Test
	void whoIsAtARowStaysThereWhenTheOneBeforeItGoes() {
		this.elsewhere.acquire("focus-ns", "first", "an-instance", 60);
		this.elsewhere.acquire("focus-ns", "second", "an-instance", 60);
		this.page.awaitLock("focus-ns / first");
		this.page.awaitLock("focus-ns / second");
		this.page.focus("focus-ns / second");

		this.elsewhere.release("focus-ns", "first", "an-instance");
		this.page.awaitNoLock("focus-ns / first");
		assertThat(this.page.focused()).isEqualTo("focus-ns / second");
	}

	@Test
	void anExpiredLockVanishes() {
		this.elsewhere.acquire("expiring", "short", "an-instance", 5);

		this.page.awaitLock("expiring / short");
		this.page.awaitNoLock("expiring / short");
	}

	@Test
	void theFilterShowsTheLocksOfOneNamespace() {
		this.elsewhere.acquire("apples", "one", "an-instance", 60);
		this.elsewhere.acquire("pears", "two", "an-instance", 60);
		this.page.awaitLock("apples / one");
		this.page.awaitLock("pears / two");

		this.page.filter("pears");
		this.page.awaitNoLock("apples / one");
		this.page.awaitLock("pears / two");

		this.page.filter("p/");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.page.run("return document.getElementById('filter-problem').textContent"))
						.isEqualTo("A namespace has 3 to 64 letters, digits, - or _."));
		this.page.filter("");
		this.page.awaitLock("apples / one");
		this.elsewhere.release("apples", "one", "an-instance");
		this.elsewhere.release("pears", "two", "an-instance");
	}

	@Test
	void everythingThatIsWrongWithARequestIsShown() {
		fill("no", "not a name", "me", "0");
		this.page.press("acquire");

		this.page.awaitAnswer("400 Bad Request\nJSON validation failed\n$.instanceId");
		assertThat(this.page.answer()).contains("$.leaseDuration: must have a minimum value of 1");
	}

	@Test
	void anOwnersNameIsTextWhateverIsInIt() throws InterruptedException {
		String owner = "<img src=x onerror=\"document.title='broken in'\">";
		Holder holder = new Holder(owner, "an-instance");
		LockName name = new LockName("markup", "<b>bold</b>");
		Locks locks = service.bean(Locks.class);
		locks.acquire(name, holder, 60, null, () -> true);

		this.page.awaitLock("markup / <b>bold</b>");
		assertThat(this.page.owner("markup / <b>bold</b>")).isEqualTo(owner);
		assertThat(this.page.run("return document.querySelectorAll('#rows img, #rows b').length")).isEqualTo("0");
		locks.release(name, holder, null, () -> true);
	}

	@Test
	void aPhoneShowsAllOfItWithoutScrollingSideways() {
		acquireSome("phone");
		browser.resize(360, 740, true);
		this.page.open(service.port());
		this.page.filter("phone-orders");
		this.page.awaitLock("phone-orders / order-" + "4".repeat(50));
		assertThat(this.page.overflow()).as(this.page.widest()).isZero();

		fill("phone-orders", "by-thumb", "my-instance", "30");
		this.page.press("acquire");
		this.page.awaitLock("phone-orders / by-thumb");
		this.page.choose("phone-orders / by-thumb");
		this.page.press("release");
		this.page.awaitNoLock("phone-orders / by-thumb");
		assertThat(this.page.overflow()).isZero();
	}

	@Test
	void whereTokensAreNeededThePageAsksForOneAndWorksWithIt() {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance guarded = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
						"dynamodb-lock.table.name=page-guarded")) {
			this.page.open(guarded.port());
			Awaitility.await().until(() -> this.page.connection().equals("Needs a token"));
			assertThat(this.page.empty()).isEqualTo("The service requires a bearer token. Enter one below.");
			fill("guarded", "lock", "my-instance", "60");
			this.page.press("acquire");
			this.page.awaitAnswer("401");

			this.page.useToken(issuer.token("alice"));
			this.page.awaitLive();
			Awaitility.await().until(() -> this.page.empty().equals("No lock is held."));
			this.page.press("acquire");
			this.page.awaitLock("guarded / lock");
			assertThat(this.page.owner("guarded / lock")).isEqualTo("alice");

			this.page.useToken("not-a-token");
			Awaitility.await().until(() -> this.page.connection().equals("Needs a token"));
			assertThat(this.page.empty()).contains("does not accept this token");
			assertThat(this.page.locks()).isEmpty();
			this.page.open(service.port());
		}
	}

	@Test
	void aPageWhoseServiceRestartsSaysSoAndGoesOnByItself() {
		String table = "dynamodb-lock.table.name=page-restarted";
		int port;
		try (ServiceInstance first = ServiceInstance.start("authentication.disabled=true", table)) {
			port = first.port();
			first.calls().acquire("restarted", "lock", "an-instance", 60);
			this.page.open(port);
			this.page.awaitLock("restarted / lock");
		}
		Awaitility.await().until(() -> this.page.connection().equals("Connection lost, trying again"));
		assertThat(this.page.locks()).containsExactly("restarted / lock");
		assertThat(this.page.stale()).isEqualTo("The list may be outdated. It shows the last known state.");

		try (ServiceInstance again = ServiceInstance.start("authentication.disabled=true", table,
				"server.port=" + port)) {
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.page.connection().equals("Live"));
			assertThat(this.page.stale()).isEmpty();
			again.calls().release("restarted", "lock", "an-instance");
			this.page.awaitNoLock("restarted / lock");
			this.page.open(service.port());
		}
	}

	@Test
	void picturesOfThePage() {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance shown = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
						"dynamodb-lock.table.name=page-shown")) {
			shown.calls(issuer.token("billing")).acquire("invoices", "nightly-run", "billing-0", 1800);
			shown.calls(issuer.token("shipping")).acquire("orders", "order-1187", "shipping-3", 95);
			shown.calls(issuer.token("warehouse")).acquire("stock", "recount", "warehouse-1", 7200);
			shown.calls(issuer.token("shipping")).acquire("orders", "order-1203", "shipping-5", 48);
			picture(shown, issuer, false, "page.png");
			browser.dark(true);
			browser.screenshot(Path.of("target/screenshots/page-dark.png"));
			browser.dark(false);
			picture(shown, issuer, true, "page-phone.png");
			this.page.open(service.port());
		}
	}

	private void picture(ServiceInstance shown, TokenIssuer issuer, boolean phone, String file) {
		browser.resize(phone ? 360 : 1240, phone ? 760 : 860, phone);
		this.page.open(shown.port());
		Awaitility.await().until(() -> this.page.connection().equals("Needs a token"));
		this.page.useToken(issuer.token("shipping"));
		this.page.awaitLive();
		this.page.run("document.getElementById('access').open = false");
		fill("orders", "order-42", "shipping-7", "30");
		this.page.press("acquire");
		this.page.awaitLock("orders / order-42");
		this.page.run("window.scrollTo(0, 0); document.activeElement.blur()");
		browser.screenshot(SCREENSHOTS.resolve(file));
		shown.calls(issuer.token("shipping")).release("orders", "order-42", "shipping-7");
	}

	private void acquireSome(String prefix) {
		for (String lock : List.of("order-1", "order-2", "order-" + "4".repeat(50))) {
			this.elsewhere.acquire(prefix + "-orders", lock, "an-instance", 86_400);
		}
	}

	private void fill(String namespace, String lockName, String instanceId, String lease) {
		this.page.fill("namespace", namespace);
		this.page.fill("lock-name", lockName);
		this.page.fill("instance-id", instanceId);
		this.page.fill("lease", lease);
	}

	private int secondsLeft(String lock) {
		String[] parts = this.page.timeLeft(lock).split(":", 2);
		return Integer.parseInt(parts[0]) * 60 + Integer.parseInt(parts[1]);
	}

}
