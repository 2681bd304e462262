/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;

class WriteRequestTests {

	private static final LockKey KEY = LockKey.of("orders-42");

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Instant TIME = Instant.ofEpochMilli(1_700_000_000_123L);

	private static final Timestamps USUAL = new Timestamps(TIME, TIME, null);

	private static final ItemCondition CONDITION = ItemCondition.exists("a")
		.or(ItemCondition.lessThan("b", AttributeValue.fromN("3")))
		.and(ItemCondition.lessThan("b", AttributeValue.fromS("c")).not());

	private static final AwsRequestOverrideConfiguration LIMIT = AwsRequestOverrideConfiguration.builder().build();

	private final TableSchema schema = TableSchema.of("locks");

	@Test
	void aPlainClaimAsksForNoItemOrAReleasedLock() {
		UpdateItemRequest request = claim(Precondition.FREE, ItemChange.none().removeData(), USUAL);
		assertThat(request.conditionExpression()).isEqualTo("attribute_not_exists(#key) OR isReleased = :released"
				+ " AND attribute_type(ownerName, :string) AND attribute_type(leaseDuration, :string)"
				+ " AND attribute_type(recordVersionNumber, :string)"
				+ " AND (attribute_not_exists(#token) OR #token BETWEEN :zero AND :greatest)");
		assertThat(request.updateExpression()).isEqualTo("SET ownerName = :ownerName, leaseDuration = :leaseDuration,"
				+ " recordVersionNumber = :recordVersionNumber, #token = if_not_exists(#token, :seed) + :reserved,"
				+ " acquiredAt = :acquiredAt, renewedAt = :renewedAt, #expires = if_not_exists(#keep, :expires)"
				+ " REMOVE isReleased, requestName, leaseEnds, #data");
	}

	@Test
	void aConditionOfTheApplicationIsAskedForBesideTheStateOfTheLock() {
		UpdateItemRequest plain = claim(Precondition.FREE, ItemChange.none().removeData(), USUAL);
		UpdateItemRequest request = claim(Precondition.FREE.with(CONDITION), ItemChange.none().removeData(), USUAL);
		assertThat(request.conditionExpression()).matches("\\(" + Pattern.quote(plain.conditionExpression())
				+ "\\) AND \\(\\(attribute_exists\\(#c0\\) OR #c1 < :c\\d+\\) AND NOT #c2 < :c\\d+\\)");
		assertThat(request.updateExpression()).isEqualTo(plain.updateExpression());
		assertThat(request.expressionAttributeNames()).containsEntry("#c0", "a")
			.containsEntry("#c1", "b")
			.containsEntry("#c2", "b");
	}

	@Test
	void aHeartbeatAsksForItsVersionOfAHeldLock() {
		UpdateItemRequest request = renew(ItemChange.none(), USUAL);
		assertThat(request.conditionExpression())
			.isEqualTo("recordVersionNumber = :expected AND isReleased <> :released AND attribute_exists(ownerName)");
		assertThat(request.updateExpression()).isEqualTo("SET leaseDuration = :leaseDuration,"
				+ " recordVersionNumber = :recordVersionNumber, renewedAt = :renewedAt,"
				+ " #expires = if_not_exists(#keep, :expires) REMOVE leaseEnds, wantedBy");
	}

	@Test
	void aReleaseAsksForItsVersion() {
		UpdateItemRequest request = release(Set.of("v1"), ItemChange.none(), TIME);
		assertThat(request.conditionExpression()).isEqualTo("recordVersionNumber = :expected");
		assertThat(request.updateExpression()).isEqualTo("SET recordVersionNumber = :recordVersionNumber,"
				+ " isReleased = :released, #expires = if_not_exists(#keep, :expires) REMOVE renewedAt, leaseEnds, wantedBy");
	}

	@Test
	void aDeletionAsksForItsVersionOfAnItemThatIsNotKept() {
		DeleteItemRequest request = delete(
				new LockWrite.Release(KEY, "v2", Set.of("v1"), true, ItemChange.none(), null));
		assertThat(request.conditionExpression())
			.isEqualTo("(recordVersionNumber = :expected) AND attribute_not_exists(#keep)");
	}

	@Test
	void aClaimOfAnItemThatIsToBeKeptMarksIt() {
		UpdateItemRequest request = claim(Precondition.FREE, ItemChange.none(), Timestamps.NONE, true);
		assertThat(request.updateExpression()).contains("#keep = :keep").containsPattern("REMOVE .*#expires");
	}

	@ParameterizedTest
	@MethodSource("changes")
	void everyWriteGivesTheNamesAndValuesOfItsExpressionsAndNoOthers(ItemChange change) {
		for (Timestamps timestamps : timestamps()) {
			for (Precondition precondition : preconditions()) {
				assertComplete(claim(precondition, change, timestamps, false));
				assertComplete(claim(precondition, change, timestamps, true));
			}
			assertComplete(renew(change, timestamps));
			for (int versions : new int[] { 1, 2, 100, 101, 250 }) {
				Set<String> expected = IntStream.range(0, versions)
					.mapToObj((number) -> "v" + number)
					.collect(Collectors.toSet());
				assertComplete(release(expected, change, timestamps.expiresAt()));
				assertComplete(delete(new LockWrite.Release(KEY, "v2", expected, true, change, null)));
			}
		}
		assertComplete(update(new LockWrite.Change(KEY, "v2", null, change)));
		assertComplete(
				update(new LockWrite.Change(KEY, "v2", LockRecord.builder(KEY, "bob", LEASE, "v2").build(), change)));
	}

	static Stream<ItemChange> changes() {
		AttributeValue one = AttributeValue.fromN("1");
		ItemChange none = ItemChange.none();
		return Stream.of(none, none.removeData(), none.data(new byte[] { 1 }), none.attribute("a", one),
				none.removeAttributes("b"), none.data(new byte[] { 1 }).attribute("a", one).removeAttributes("b", "c"));
	}

	private static Collection<Timestamps> timestamps() {
		return List.of(Timestamps.NONE, USUAL, new Timestamps(TIME, null, null), new Timestamps(TIME, TIME, TIME),
				new Timestamps(null, null, TIME));
	}

	private static Collection<Precondition> preconditions() {
		return List.of(Precondition.FREE, Precondition.FREE.orVersion("v0"), new Precondition(false, true, null),
				new Precondition(false, false, "v0"), new Precondition(false, true, "v0"),
				Precondition.FREE.with(CONDITION), new Precondition(false, true, "v0", CONDITION));
	}

	/** DynamoDB refuses a request with a name or value that no expression uses. */
	private static void assertComplete(UpdateItemRequest request) {
		assertComplete(request.conditionExpression() + " " + request.updateExpression(),
				request.expressionAttributeNames().keySet(), request.expressionAttributeValues().keySet());
	}

	private static void assertComplete(DeleteItemRequest request) {
		assertComplete(request.conditionExpression(), request.expressionAttributeNames().keySet(),
				request.expressionAttributeValues().keySet());
	}

	private static void assertComplete(String expressions, Set<String> names, Set<String> values) {
		assertThat(names).isEqualTo(found("#\\w+", expressions));
		assertThat(values).isEqualTo(found(":\\w+", expressions));
	}

	private static Set<String> found(String pattern, String expressions) {
		return Pattern.compile(pattern)
			.matcher(expressions)
			.results()
			.map((match) -> match.group())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private UpdateItemRequest claim(Precondition precondition, ItemChange change, Timestamps timestamps) {
		return claim(precondition, change, timestamps, false);
	}

	private UpdateItemRequest claim(Precondition precondition, ItemChange change, Timestamps timestamps,
			boolean keepItem) {
		LockRecord wanted = LockRecord.builder(KEY, "bob", LEASE, "v1").acquiredAt(timestamps.renewedAt()).build();
		return update(new LockWrite.Claim(wanted, change, precondition, 1, timestamps, keepItem));
	}

	private UpdateItemRequest renew(ItemChange change, Timestamps timestamps) {
		return update(new LockWrite.Renew(KEY, "v2", "v1", LEASE, change, timestamps));
	}

	private UpdateItemRequest release(Set<String> versions, ItemChange change, @Nullable Instant expiresAt) {
		return update(new LockWrite.Release(KEY, "v2", versions, false, change, expiresAt));
	}

	private UpdateItemRequest update(LockWrite write) {
		return (UpdateItemRequest) WriteRequest.of(write, this.schema, LIMIT);
	}

	private DeleteItemRequest delete(LockWrite write) {
		return (DeleteItemRequest) WriteRequest.of(write, this.schema, LIMIT);
	}

}
