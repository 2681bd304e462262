/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TableSchemaTests {

	private static final TableSchema SORTED = new TableSchema("locks", "key", "part", "fencingToken", "expiresAt");

	@ParameterizedTest
	@ValueSource(strings = { "", "ab", "my locks", "locks/1", "schlösser", "arn:aws:dynamodb:eu-central-1:1:index/x" })
	void refusesANameThatNoTableCanHave(String tableName) {
		assertThatIllegalArgumentException().isThrownBy(() -> TableSchema.of(tableName))
			.withMessageContaining("tableName is '" + tableName + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "abc", "My_locks.1-2", "arn:aws:dynamodb:eu-central-1:123456789012:table/locks" })
	void takesNamesAndArns(String tableName) {
		assertThat(TableSchema.of(tableName).tableName()).isEqualTo(tableName);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ownerName", "leaseDuration", "recordVersionNumber", "isReleased", "data", "acquiredAt",
			"renewedAt", "requestName", "leaseEnds", "fencingToken", "expiresAt" })
	void refusesAKeyNameThatAnotherAttributeHas(String name) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TableSchema("locks", name, null, "fencingToken", "expiresAt"))
			.withMessageContaining("'" + name + "'");
	}

	@Test
	void refusesTwoAttributesOfOneName() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TableSchema("locks", "key", "key", "token", "ttl"))
			.withMessageContaining("sortKeyName");
		assertThatIllegalArgumentException().isThrownBy(() -> new TableSchema("locks", "key", null, "token", "token"))
			.withMessageContaining("timeToLiveAttributeName");
	}

	@Test
	void refusesABlankOrOverlongName() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TableSchema("locks", " ", null, "token", "ttl"))
			.withMessageContaining("partitionKeyName");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TableSchema("locks", "key", "k".repeat(256), "token", "ttl"))
			.withMessageContaining("sortKeyName");
	}

	@Test
	void printsTheCommandsThatCreateTheTable() {
		assertThat(SORTED.createTableCommand()).isEqualTo("aws dynamodb create-table --table-name locks "
				+ "--attribute-definitions AttributeName=key,AttributeType=S AttributeName=part,AttributeType=S "
				+ "--key-schema AttributeName=key,KeyType=HASH AttributeName=part,KeyType=RANGE "
				+ "--billing-mode PAY_PER_REQUEST");
		assertThat(SORTED.enableTimeToLiveCommand()).isEqualTo("aws dynamodb update-time-to-live --table-name locks "
				+ "--time-to-live-specification Enabled=true,AttributeName=expiresAt");
	}

}
