/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardedsql;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class GuardedSqlApplication {

	@Bean
	ApplicationRunner addItems(JdbcOrders jdbc, JpaOrders jpa) {
		return (arguments) -> {
			jdbc.open("17");
			jdbc.addItem("17", 250);
			jpa.addItem("17", 100);
		};
	}

	public static void main(String[] args) {
		SpringApplication.run(GuardedSqlApplication.class, args);
	}

}
