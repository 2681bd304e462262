/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockclient;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class LockClientApplication {

	@Bean
	ApplicationRunner rebuildIndex(IndexRebuild rebuild) {
		return (arguments) -> rebuild.rebuild();
	}

	public static void main(String[] args) {
		SpringApplication.run(LockClientApplication.class, args);
	}

}
