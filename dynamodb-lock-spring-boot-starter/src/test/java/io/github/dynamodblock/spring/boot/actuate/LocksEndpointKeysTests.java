/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Which lock the endpoint shows and frees, for keys that a path cannot tell apart.
 */
@ExtendWith(DynamoDbExtension.class)
class LocksEndpointKeysTests extends LocksEndpointApplication {

	@Test
	void aKeyThatIsGivenAsParameterIsTakenAsItIs(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		client().acquire("a/b");
		for (String key : List.of("a//b", "/a/b", "a/b/")) {
			assertThat(get(CLIENT + "?key=" + key, 200)).contains("\"locks\":[]");
			client().acquire(key);
			assertThat(get(CLIENT + "?key=" + key, 200)).contains("\"key\":\"" + key + "\"");
		}
		assertThat(get(CLIENT + "?key=a%2Fb", 200)).contains("\"key\":\"a/b\"");
	}

	@Test
	void aForcedReleaseByParameterFreesThatLockAndNoOther(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoint.locks.access=unrestricted");
		try (LockClient other = other(dynamoDb)) {
			HeldLock meant = other.acquire("a//b");
			HeldLock alike = other.acquire("a/b");
			String owner = "&owner=" + other.ownerName();
			assertThat(delete(CLIENT + "?key=a//b" + owner, 200)).isEqualTo("{\"outcome\":\"RELEASED\"}");
			await().untilAsserted(() -> assertThat(meant.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR));
			assertThat(other.find("a/b")).hasValueSatisfying((record) -> assertThat(record.isReleased()).isFalse());
			assertThat(alike.isHeld()).isTrue();
			delete(CLIENT + "?owner=" + other.ownerName(), 400);
		}
	}

	@Test
	void aKeyThatIsEmptyIsNoKey(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		get(CLIENT + "?key=", 400);
	}

	@Test
	void aSortKeyGoesWithAKeyThatIsAParameter(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "dynamodb-lock.table.sort-key-name=sort");
		client().acquire(LockRequest.of(LockKey.of("orders/", "42")));
		assertThat(get(CLIENT + "?key=orders/&sortKey=42", 200)).contains("\"sortKey\":\"42\"");
	}

}
