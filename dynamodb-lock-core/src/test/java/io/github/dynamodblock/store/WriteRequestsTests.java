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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;

class WriteRequestsTests {

	private static final LockKey KEY = LockKey.of("orders-42");

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Instant TIME = Instant.ofEpochMilli(1_700_000_000_123L);

	private static final Timestamps USUAL = new Timestamps(TIME, TIME, null);

	private static final ItemCondition CONDITION = ItemCondition.exists("a")
		.or(ItemCondition.lessThan("b", AttributeValue.fromN("3")))
		.and(ItemCondition.lessThan("b", AttributeValue.fromS("c")).not());

	private final TableSchema schema = TableSchema.of("locks");

	private final WriteRequests requests = new WriteRequests(this.schema);

	@Test
	void aPlainClaimAsksForNoItemOrAReleasedLock() {
		UpdateItemRequest request = claim(Precondition.FREE, ItemChange.none().removeData(), USUAL);
		assertThat(request.conditionExpression()).isEqualTo("attribute_not_exists(#key) OR isReleased = :released"
				+ " AND attribute_type(ownerName, :string) AND attribute_type(leaseDuration, :string)"
				+ " AND attribute_type(recordVersionNumber, :string)"
				+ " AND (attribute_not_exists(#token) OR #token BETWEEN :zero AND :greatest)");
		assertThat(request.updateExpression()).isEqualTo("SET ownerName = :ownerName, leaseDuration = :leaseDuration,"
				+ " recordVersionNumber = :recordVersionNumber, #token = if_not_exists(#token, :seed) + :one,"
				+ " acquiredAt = :acquiredAt, renewedAt = :renewedAt, #expires = :expires"
				+ " REMOVE isReleased, requestName, leaseEnds, #data");
	}

	@Test
	void aConditionOfTheApplicationIsAskedForBesideTheStateOfTheLock() {
		UpdateItemRequest plain = claim(Precondition.FREE, ItemChange.none().removeData(), USUAL);
		UpdateItemRequest request = claim(Precondition.FREE.with(CONDITION), ItemChange.none().removeData(), USUAL);
		assertThat(request.conditionExpression()).matches("\\(" + Pattern.quote(plain.conditionExpression())
				+ "\\) AND \\(\\(attribute_exists\\(#c0\\) OR #c1 < :c\\d+\\) AND NOT #c1 < :c\\d+\\)");
		assertThat(request.updateExpression()).isSameAs(plain.updateExpression());
		assertThat(request.expressionAttributeNames()).containsEntry("#c0", "a").containsEntry("#c1", "b");
	}

	@Test
	void aHeartbeatAsksForItsVersionOfAHeldLock() {
		UpdateItemRequest request = renew(ItemChange.none(), USUAL);
		assertThat(request.conditionExpression())
			.isEqualTo("recordVersionNumber = :expected AND isReleased <> :released AND attribute_exists(ownerName)");
		assertThat(request.updateExpression()).isEqualTo("SET leaseDuration = :leaseDuration,"
				+ " recordVersionNumber = :recordVersionNumber, renewedAt = :renewedAt, #expires = :expires"
				+ " REMOVE leaseEnds");
	}

	@Test
	void aReleaseAsksForItsVersion() {
		UpdateItemRequest request = release(Set.of("v1"), ItemChange.none(), TIME);
		assertThat(request.conditionExpression()).isEqualTo("recordVersionNumber = :expected");
		assertThat(request.updateExpression()).isEqualTo("SET recordVersionNumber = :recordVersionNumber,"
				+ " isReleased = :released, #expires = :expires REMOVE renewedAt, leaseEnds");
	}

	@Test
	void writesOfOneKindShareTheirExpressions() {
		for (Precondition precondition : List.of(Precondition.FREE, Precondition.FREE.orVersion("v0"))) {
			ItemChange change = ItemChange.none().removeData();
			assertShared(claim(precondition, change, USUAL), claim(precondition, change, USUAL));
		}
		assertShared(renew(ItemChange.none(), USUAL), renew(ItemChange.none(), USUAL));
		assertShared(release(Set.of("v1"), ItemChange.none(), TIME), release(Set.of("v2"), ItemChange.none(), TIME));
	}

	private static void assertShared(UpdateItemRequest one, UpdateItemRequest other) {
		assertThat(one.conditionExpression()).isSameAs(other.conditionExpression());
		assertThat(one.updateExpression()).isSameAs(other.updateExpression());
	}

	@ParameterizedTest
	@MethodSource("changes")
	void everyWriteGivesTheNamesAndValuesOfItsExpressionsAndNoOthers(ItemChange change) {
		for (Timestamps timestamps : timestamps()) {
			for (Precondition precondition : preconditions()) {
				assertComplete(claim(precondition, change, timestamps));
			}
			assertComplete(renew(change, timestamps));
			for (int versions : new int[] { 1, 2, 100, 101, 250 }) {
				Set<String> expected = IntStream.range(0, versions)
					.mapToObj((number) -> "v" + number)
					.collect(Collectors.toSet());
				assertComplete(release(expected, change, timestamps.expiresAt()));
				DeleteItemRequest delete = this.requests
					.delete(new LockWrite.Release(KEY, "v2", expected, freeing(true, change, null)))
					.build();
				assertComplete(delete.conditionExpression(), Set.of(), delete.expressionAttributeValues().keySet());
			}
			LockWrite.ForcedRelease forced = new LockWrite.ForcedRelease(KEY, "v2", "alice",
					freeing(false, change, timestamps.expiresAt()));
			assertComplete(this.requests.forceRelease(forced).build());
			DeleteItemRequest delete = this.requests.forceDelete(forced).build();
			assertComplete(delete.conditionExpression(), Set.of(), delete.expressionAttributeValues().keySet());
		}
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
		return List.of(Precondition.FREE, Precondition.FREE.orVersion("v0"), new Precondition(false, true, null, null),
				new Precondition(false, false, "v0", null), new Precondition(true, true, null, "alice"),
				new Precondition(true, true, "v0", "alice"), new Precondition(false, false, null, "alice"),
				Precondition.FREE.with(CONDITION), new Precondition(false, true, "v0", "alice", CONDITION));
	}

	/** DynamoDB refuses a request with a name or value that no expression uses. */
	private static void assertComplete(UpdateItemRequest request) {
		assertComplete(request.conditionExpression() + " " + request.updateExpression(),
				request.expressionAttributeNames().keySet(), request.expressionAttributeValues().keySet());
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
		LockRecord wanted = LockRecord.builder(KEY, "bob", LEASE, "v1").acquiredAt(timestamps.renewedAt()).build();
		return this.requests.claim(new LockWrite.Claim(wanted, change, precondition, 1, timestamps)).build();
	}

	private UpdateItemRequest renew(ItemChange change, Timestamps timestamps) {
		return this.requests.renew(new LockWrite.Renew(KEY, "v2", "v1", LEASE, change, timestamps)).build();
	}

	private UpdateItemRequest release(Set<String> versions, ItemChange change, @Nullable Instant expiresAt) {
		return this.requests.release(new LockWrite.Release(KEY, "v2", versions, freeing(false, change, expiresAt)))
			.build();
	}

	private static LockWrite.Freeing freeing(boolean deleteItem, ItemChange change, @Nullable Instant expiresAt) {
		return new LockWrite.Freeing(deleteItem, change, expiresAt);
	}

}
