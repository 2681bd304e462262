/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class ListRequestTests {

	@Test
	void aRequestHasDefaults() {
		ListRequest request = ListRequest.all();
		assertThat(request.partition()).isEmpty();
		assertThat(request.pageSize()).isEqualTo(100);
		assertThat(request.consistentRead()).isFalse();
		assertThat(request.onNotALock()).isEmpty();
	}

	@Test
	void everyMethodThatSetsSomethingLeavesTheRestAndTheRequestItself() {
		ListRequest request = ListRequest.partition("orders");
		Consumer<LockTableException> consumer = (row) -> {
		};
		ListRequest changed = request.pageSize(7).consistentRead(true).onNotALock(consumer).pageSize(8);
		assertThat(changed.partition()).hasValue("orders");
		assertThat(changed.pageSize()).isEqualTo(8);
		assertThat(changed.consistentRead()).isTrue();
		assertThat(changed.onNotALock()).containsSame(consumer);
		assertThat(changed).hasToString("ListRequest[partition=orders, pageSize=8, consistentRead=true]");
		assertThat(request).hasToString("ListRequest[partition=orders, pageSize=100, consistentRead=false]");
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1001, Integer.MAX_VALUE })
	void aPageSizeOutOfRangeIsRefused(int pageSize) {
		assertThatIllegalArgumentException().isThrownBy(() -> ListRequest.all().pageSize(pageSize))
			.withMessageContaining("pageSize is " + pageSize)
			.withMessageContaining("1 to 1000");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1000 })
	void thePageSizesAtTheEndsOfTheRangeAreTaken(int pageSize) {
		assertThat(ListRequest.all().pageSize(pageSize).pageSize()).isEqualTo(pageSize);
	}

	@Test
	void aPartitionThatDynamoDbCannotHaveIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ListRequest.partition(""))
			.withMessageContaining("partition key");
		assertThatIllegalArgumentException().isThrownBy(() -> ListRequest.partition("k".repeat(2049)))
			.withMessageContaining("2049 bytes");
	}

	@Test
	void nullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> ListRequest.all().onNotALock(nothing()));
		assertThatNullPointerException().isThrownBy(() -> ListRequest.partition(nothing()));
	}

	@SuppressWarnings({ "NullAway", "TypeParameterUnusedInFormals" })
	private static <T> T nothing() {
		return null;
	}

}
