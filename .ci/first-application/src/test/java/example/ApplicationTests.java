/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class ApplicationTests {

	@Test
	void locksWithoutDynamoDbLocal(@Autowired Application application) {
		assertThat(application.order("42")).isEqualTo("ran under the lock orders:42");
		assertThat(ClassUtils.isPresent("software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler",
				null))
			.isFalse();
	}

}
