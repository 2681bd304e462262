/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Set;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

/**
 * The DynamoDbClient bean that a lock client uses: the application's, or else one that
 * was made for locks.
 *
 * @param beanName the bean's name
 * @param client the client
 */
record SelectedDynamoDbClient(String beanName, DynamoDbClient client) {

	/** The bean that is made when the application has none. */
	static final String OWN = "dynamoDbLockDynamoDbClient";

	/** The bean of dynamodb-lock-test whose DynamoDB runs in this process. */
	static final String EMBEDDED = "embeddedDynamoDbClient";

	/** The beans of dynamodb-lock-test: a DynamoDB that holds test data only. */
	private static final Set<String> FOR_TESTS = Set.of(EMBEDDED, "testDynamoDbClient");

	/** The bean that is made for a lock client with separate properties for it. */
	static String ownName(String lockClient) {
		return OWN + "." + lockClient;
	}

	static boolean isForTests(String beanName) {
		return FOR_TESTS.contains(beanName);
	}

	static boolean isOwn(String beanName) {
		return beanName.equals(OWN) || beanName.startsWith(OWN + ".");
	}

	boolean isForTests() {
		return isForTests(this.beanName);
	}

	boolean isOwn() {
		return isOwn(this.beanName);
	}

	/** Where the client sends its requests, as the end of a sentence. */
	String place() {
		return where(", for region ", " at ");
	}

	/** Where the client sends its requests, as options of the AWS CLI. */
	String commandLineOptions() {
		return where(" --region ", " --endpoint-url ");
	}

	private String where(String beforeRegion, String beforeEndpoint) {
		try {
			DynamoDbServiceClientConfiguration configuration = this.client.serviceClientConfiguration();
			return beforeRegion + configuration.region()
					+ configuration.endpointOverride().map((endpoint) -> beforeEndpoint + endpoint).orElse("");
		}
		catch (RuntimeException ex) {
			// Whatever is wrapped around the SDK's client need not tell.
			return "";
		}
	}

}
