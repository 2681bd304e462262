/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import java.util.List;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.autoconfigure.EmbeddedDynamoDbAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = EmbeddedDynamoDbAutoConfiguration.class,
		properties = { "dynamodb-lock.dynamodb.region=eu-west-1", "AWS_EXECUTION_ENV=AWS_ECS_EC2", "AWS_ENDPOINT_URL=",
				"AWS_ENDPOINT_URL_DYNAMODB=" })
class EmbeddedInTestsTests {

	@Test
	void testsOfAnApplicationThatIsConfiguredForAwsHaveTheEmbeddedDynamoDb(
			@Autowired ObjectProvider<EmbeddedDynamoDb> embedded) {
		assertThat(embedded.getIfAvailable()).isNotNull();
	}

	@Test
	void contextsAreSharedAcrossTestClassesAsBefore() {
		EmbeddedInTestsContextCustomizerFactory factory = new EmbeddedInTestsContextCustomizerFactory();
		var customizer = factory.createContextCustomizer(EmbeddedInTestsTests.class, List.of());
		assertThat(customizer).isEqualTo(factory.createContextCustomizer(FreshLockTableTests.class, List.of()))
			.hasSameHashCodeAs(factory.createContextCustomizer(FreshLockTableTests.class, List.of()));
	}

}
