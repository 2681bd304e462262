/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

/**
 * Every annotated method has a lock client, or the application does not start.
 */
class MissingLockClientTests {

	@Test
	void anAnnotatedMethodNeedsALockClient() {
		LockNode.bare()
			.withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
			.withBean(Right.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("No qualifying bean of type 'io.github.dynamodblock.LockClient' available",
						"Define a LockClient bean"));
	}

	@Test
	void ofSeveralLockClientsOneMustBePrimary() {
		node().withBean("second", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean(Right.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("expected single matching bean but found 2: first,second", "@Primary"));
	}

	@Test
	void anUnknownLockClientIsRefusedWithThoseThatThereAre() {
		node().withBean("second", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withPropertyValues("job.client=thrid")
			.withBean(OfAClient.class)
			.run((context) -> assertThat(context).getFailure()
				.asInstanceOf(throwable(InvalidDistributedLockException.class))
				.hasMessageContainingAll("OfAClient.work()", "attribute 'lockClient'",
						"No bean named 'thrid' available"));
	}

	@Test
	void aBeanThatIsNoLockClientIsRefused() {
		node().withBean("text", String.class, () -> "")
			.withPropertyValues("job.client=text")
			.withBean(OfAClient.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"Bean named 'text' is expected to be of type 'io.github.dynamodblock.LockClient'"));
	}

	@Test
	void ofSeveralLockClientsNoneNeedsToBePrimaryIfEveryMethodNamesOne() {
		node().withBean("second", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withPropertyValues("job.client=second")
			.withBean(OfAClient.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void applicationsWithoutAnnotatedMethodsNeedNoLockClient() {
		LockNode.bare()
			.withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("first", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	public static class Right {

		@DistributedLock("right")
		public void work() {
		}

	}

	static class OfAClient {

		@DistributedLock(name = "a", lockClient = "${job.client}")
		void work() {
		}

	}

}
