/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.NodeProcess;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The DynamoDB of a run: a Region of AWS, or a DynamoDB Local.
 *
 * @param region the Region; {@code null} for DynamoDB Local
 * @param endpoint the address of DynamoDB Local; {@code null} for AWS
 */
record Target(@Nullable String region, @Nullable String endpoint) {

	private static final String REGION = "aws-run.region";

	private static final String ENDPOINT = "aws-run.endpoint";

	static Target aws(String region) {
		return new Target(region, null);
	}

	static Target local(String endpoint) {
		return new Target(null, endpoint);
	}

	/** Reads what {@link #properties()} has passed to this process. */
	static Target ofThisProcess() {
		return new Target(System.getProperty(REGION), System.getProperty(ENDPOINT));
	}

	boolean isLocal() {
		return this.endpoint != null;
	}

	/** Options of Java that pass this to a child process. */
	List<String> properties() {
		return isLocal() ? List.of("-D" + ENDPOINT + "=" + this.endpoint) : List.of("-D" + REGION + "=" + this.region);
	}

	/** What a child process needs to reach this. */
	NodeProcess.Environment environment() {
		return isLocal() ? NodeProcess.Environment.LOCAL : NodeProcess.Environment.INHERITED;
	}

	/**
	 * Returns a client with the credentials of this process, or any for DynamoDB Local.
	 * @param interceptors see every call, in this order
	 */
	DynamoDbClient newClient(ExecutionInterceptor... interceptors) {
		if (this.endpoint != null) {
			return DynamoDbLocal.client(this.endpoint, interceptors);
		}
		return DynamoDbClient.builder()
			.region(Region.of(Objects.requireNonNull(this.region)))
			.overrideConfiguration((override) -> List.of(interceptors).forEach(override::addExecutionInterceptor))
			.build();
	}

	/** Names this to a reader. */
	@Override
	public String toString() {
		return isLocal() ? "DynamoDB Local at " + this.endpoint : "DynamoDB in AWS, Region " + this.region;
	}

}
