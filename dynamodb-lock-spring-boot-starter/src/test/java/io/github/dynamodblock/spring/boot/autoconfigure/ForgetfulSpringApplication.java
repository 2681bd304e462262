/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Leaves the end of its context to the JVM's end, and needs DynamoDB once more then.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(DynamoDbLockEmbeddedAutoConfiguration.class)
class ForgetfulSpringApplication {

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(ForgetfulSpringApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run("--dynamodb-lock.embedded.enabled=true", "--spring.docker.compose.enabled=false");
		System.out.println("main returns");
	}

	@Bean
	DisposableBean lastWords(DynamoDbClient client) {
		return () -> System.out.println("tables at the end: " + client.listTables().tableNames());
	}

}
