/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import java.util.List;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SeveralKeysApplication {

	@Bean
	ApplicationRunner transferAndPrint(Transfers transfers, Statements statements) {
		return (arguments) -> {
			transfers.transfer("anna", "ben", 500);
			transfers.transfer("ben", "anna", 200);
			List.of("anna", "ben").forEach(statements::print);
		};
	}

	public static void main(String[] args) {
		SpringApplication.run(SeveralKeysApplication.class, args);
	}

}
