/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockTableTests {

	private final String name = TestDynamoDb.newTableName();

	private final LockTable table = LockTable.of(TestDynamoDb.client(), this.name);

	@Test
	void createsATableThatPassesItsOwnCheck() {
		assertThat(this.table.createIfMissing()).isTrue();
		this.table.check();
		assertThat(describe().billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
		assertThat(timeToLive().timeToLiveStatus()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
		assertThat(timeToLive().attributeName()).isEqualTo("expiresAt");
	}

	@Test
	void createsATableOnlyOnce() {
		this.table.createIfMissing();
		assertThat(this.table.createIfMissing()).isFalse();
	}

	@Test
	void createsATableOnceHoweverManyTryAtTheSameTime() throws Exception {
		int processes = 6;
		CyclicBarrier together = new CyclicBarrier(processes);
		ExecutorService executor = Executors.newFixedThreadPool(processes);
		try {
			Callable<Boolean> create = () -> {
				together.await();
				return this.table.createIfMissing();
			};
			List<Future<Boolean>> created = Stream.generate(() -> executor.submit(create)).limit(processes).toList();
			int creators = 0;
			for (Future<Boolean> one : created) {
				creators += one.get() ? 1 : 0;
			}
			assertThat(creators).isEqualTo(1);
		}
		finally {
			executor.shutdownNow();
		}
		this.table.check();
		assertThat(timeToLive().timeToLiveStatus()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
	}

	@Test
	void createsATableWithTheNamesThatWereSet() {
		LockTable named = this.table.partitionKeyName("id").sortKeyName("part").timeToLiveAttributeName("ttl");
		named.createIfMissing();
		named.check();
		assertThat(describe().keySchema()).extracting((element) -> element.attributeName() + element.keyTypeAsString())
			.containsExactly("idHASH", "partRANGE");
		assertThat(timeToLive().attributeName()).isEqualTo("ttl");
		assertProblem(Problem.WRONG_KEY_SCHEMA, this.table::check);
		assertProblem(Problem.WRONG_KEY_SCHEMA, this.table::createIfMissing);
		assertProblem(Problem.WRONG_KEY_SCHEMA, named.sortKeyName(null)::check);
	}

	@Test
	void doesNotChangeTimeToLiveWithoutTheOption() {
		CallRecorder recorder = new CallRecorder();
		try (DynamoDbClient client = TestDynamoDb.newClient(recorder)) {
			LockTable without = LockTable.of(client, this.name).withoutTimeToLive();
			without.createIfMissing();
			without.check();
		}
		assertThat(timeToLive().timeToLiveStatus()).isEqualTo(TimeToLiveStatus.DISABLED);
		assertThat(recorder.operations()).containsOnly("DescribeTable", "CreateTable");
	}

	@Test
	void aMissingTableIsRefusedWithTheCommandThatCreatesIt() {
		LockTable named = this.table.partitionKeyName("id").sortKeyName("part");
		LockTableException refused = assertProblem(Problem.MISSING, named::check);
		assertThat(refused.tableName()).isEqualTo(this.name);
		assertThat(refused)
			.hasMessageContaining("aws dynamodb create-table --table-name " + this.name + " --attribute-definitions "
					+ "AttributeName=id,AttributeType=S AttributeName=part,AttributeType=S")
			.hasMessageContaining("--billing-mode PAY_PER_REQUEST");
	}

	@Test
	void aKeyOfAnotherTypeIsRefused() {
		TableSchema numbered = TestDynamoDb.create(TableSchema.of(this.name), ScalarAttributeType.N);
		LockTable byNumber = LockTable.of(TestDynamoDb.client(), numbered.tableName());
		assertThat(assertProblem(Problem.WRONG_KEY_SCHEMA, byNumber::check)).hasMessageContaining("'key' (N)");
	}

	@Test
	void timeToLiveByAnotherAttributeIsRefused() {
		this.table.timeToLiveAttributeName("ttl").createIfMissing();
		assertProblem(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE, this.table::check);
		assertProblem(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE, this.table::createIfMissing);
		this.table.withoutTimeToLive().check();
	}

	@Test
	void badArgumentsAreRefusedBeforeAnythingIsSent() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockTable.of(TestDynamoDb.client(), "my locks"))
			.withMessageContaining("tableName");
		assertThatIllegalArgumentException().isThrownBy(() -> this.table.partitionKeyName("ownerName"))
			.withMessageContaining("partitionKeyName");
		assertThatIllegalArgumentException().isThrownBy(() -> this.table.sortKeyName("key"))
			.withMessageContaining("sortKeyName");
		assertThatIllegalArgumentException().isThrownBy(() -> this.table.timeToLiveAttributeName("fencingToken"))
			.withMessageContaining("timeToLive");
		assertThatIllegalArgumentException().isThrownBy(() -> this.table.waitAtMost(Duration.ofMillis(-1)))
			.withMessageContaining("waitAtMost");
		assertThatIllegalArgumentException().isThrownBy(() -> this.table.waitAtMost(Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessageContaining("waitAtMost");
	}

	@Test
	void saysHowItIsSetUpByHand() {
		assertThat(this.table.setupCommands()).containsExactly("aws dynamodb create-table --table-name " + this.name
				+ " --attribute-definitions AttributeName=key,AttributeType=S --key-schema AttributeName=key,KeyType=HASH"
				+ " --billing-mode PAY_PER_REQUEST", "aws dynamodb wait table-exists --table-name " + this.name,
				"aws dynamodb update-time-to-live --table-name " + this.name
						+ " --time-to-live-specification Enabled=true,AttributeName=expiresAt");
		assertThat(this.table.withoutTimeToLive().setupCommands()).containsExactly(this.table.setupCommands().get(0));
	}

	private static LockTableException assertProblem(Problem problem, ThrowingCallable call) {
		LockTableException[] caught = new LockTableException[1];
		assertThatExceptionOfType(LockTableException.class).isThrownBy(call).satisfies((refused) -> {
			assertThat(refused.problem()).isEqualTo(problem);
			caught[0] = refused;
		});
		return caught[0];
	}

	private TableDescription describe() {
		return TestDynamoDb.client().describeTable((request) -> request.tableName(this.name)).table();
	}

	private TimeToLiveDescription timeToLive() {
		return TestDynamoDb.client()
			.describeTimeToLive((request) -> request.tableName(this.name))
			.timeToLiveDescription();
	}

}
