/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.firstlock;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class FirstLockApplication {

	@Bean
	ApplicationRunner shipOrder(Shipping shipping) {
		return (arguments) -> shipping.ship("17");
	}

	public static void main(String[] args) {
		SpringApplication.run(FirstLockApplication.class, args);
	}

}
