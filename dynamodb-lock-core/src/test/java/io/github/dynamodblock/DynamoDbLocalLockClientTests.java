/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import io.github.dynamodblock.testing.TestDynamoDb;

/**
 * Lock clients on DynamoDB Local keep the contract.
 */
class DynamoDbLocalLockClientTests extends LockClientContract {

	DynamoDbLocalLockClientTests() {
		super(TestDynamoDb.client());
	}

}
