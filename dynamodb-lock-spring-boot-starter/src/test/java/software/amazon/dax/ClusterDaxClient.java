/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package software.amazon.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Has the name of the client of DynamoDB Accelerator, whose library is not here.
 */
public class ClusterDaxClient implements DynamoDbClient {

	@Override
	public String serviceName() {
		return DynamoDbClient.SERVICE_NAME;
	}

	@Override
	public void close() {
		// There is nothing to close.
	}

}
