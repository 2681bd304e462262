/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.util.concurrent.CompletableFuture;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A node: a Spring Boot application in a separate process, with beans of the demo that
 * observe it. It has a {@link Reporter} as a bean, and publishes the orders of its parent
 * as {@link Order} events.
 */
public final class ApplicationNode {

	private ApplicationNode() {
	}

	/**
	 * Runs the application of {@code spring.main.sources} until the parent process ends
	 * it.
	 * @param args properties, as for the application
	 */
	public static void main(String[] args) {
		CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
		// Before the application starts, so that it ends when the parent dies meanwhile.
		ParentProcess.takeOrdersInBackground((order) -> started.join().publishEvent(new Order(order)));
		Reporter reporter = Reporter.toParent();
		ConfigurableApplicationContext context = application(reporter).run(args);
		started.complete(context);
		String port = context.getEnvironment().getProperty("local.server.port");
		reporter.report(Event.READY, (port != null) ? "http://127.0.0.1:" + port : "");
	}

	/**
	 * Prepares a node in this process.
	 * @param reporter reports its events
	 * @param sources the application, and the demo's configuration that observes it
	 * @return the application, which does not run yet
	 */
	public static SpringApplicationBuilder application(Reporter reporter, Class<?>... sources) {
		return new SpringApplicationBuilder(sources).initializers(
				(context) -> ((GenericApplicationContext) context).registerBean(Reporter.class, () -> reporter));
	}

	/**
	 * An order of the parent process, published as an event of the application.
	 *
	 * @param text the order
	 */
	public record Order(String text) {
	}

}
