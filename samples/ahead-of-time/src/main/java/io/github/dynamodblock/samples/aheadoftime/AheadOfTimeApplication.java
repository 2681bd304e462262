/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.aheadoftime;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Uses locks in every way that the starter offers, and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class AheadOfTimeApplication {

	/**
	 * Runs the application.
	 * @param args properties, such as
	 * {@code --dynamodb-lock.dynamodb.region=eu-central-1}
	 */
	public static void main(String[] args) {
		SpringApplication.run(AheadOfTimeApplication.class, args).close();
	}

}
