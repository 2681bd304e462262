/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.lease.TokenOperations;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real client in virtual time.
 */
final class VirtualClient {

	static final Duration LEASE = Duration.ofSeconds(10);

	static final LeaseTerms TERMS = new LeaseTerms(LEASE, Duration.ofMillis(2500), null,
			LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, Duration.ofDays(7), null);

	private final VirtualTime time;

	private final TableSchema schema;

	private final LockStore store;

	private final VirtualEnvironment environment;

	private final ClientSettings settings;

	private final ClientState state;

	private final DefaultLockClient client;

	VirtualClient(VirtualTime time, LockStore store, TableSchema schema, ClientSettings settings) {
		this(time, store, schema, settings, LockLog.NONE);
	}

	VirtualClient(VirtualTime time, LockStore store, TableSchema schema, ClientSettings settings, LockLog log) {
		this(time, schema, settings, log, new VirtualEnvironment(time, store, settings.ownerName().hashCode()));
	}

	VirtualClient(VirtualTime time, TableSchema schema, ClientSettings settings, LockLog log,
			VirtualEnvironment environment) {
		this.time = time;
		this.schema = schema;
		this.store = environment.store();
		this.environment = environment;
		this.settings = settings;
		this.state = new ClientState(this.settings, this.environment, log);
		this.client = new DefaultLockClient(this.state);
	}

	/** The settings of most clients. */
	static ClientSettings settings(String name, TableSchema schema, LockListener... listeners) {
		return new ClientSettings(name, TERMS, Duration.ofSeconds(15), null, false, null, 1000, true,
				List.of(listeners), new ItemRules(schema));
	}

	VirtualEnvironment environment() {
		return this.environment;
	}

	ClientState state() {
		return this.state;
	}

	DefaultLockClient client() {
		return this.client;
	}

	/** Begins an acquisition; time has to pass before anything comes of it. */
	AcquisitionTask start(LockRequest request) {
		AcquisitionTerms terms = this.settings.terms(request, Duration.ZERO, this.environment.now());
		AcquisitionTask task = start(terms);
		task.endInTime();
		return task;
	}

	private AcquisitionTask start(AcquisitionTerms terms) {
		return DefaultLockClient.start(this.state, terms, this.environment.callersContext());
	}

	TokenOperations tokens() {
		return new TokenOperations(this.state, this.environment.callersContext());
	}

	CompletableFuture<Void> endEverything(boolean releases) {
		return DefaultLockClient.endEverything(this.state, releases);
	}

	/** Acquires a lock that is known to be free, at the price of some virtual time. */
	LeaseHandle acquire(LockRequest request) {
		AcquisitionTask task = start(request);
		this.time.pass(VirtualEnvironment.CALL);
		return granted(task);
	}

	LeaseHandle acquire(String key) {
		return acquire(LockRequest.of(key));
	}

	/** Renews a lock, at the price of some virtual time. */
	void renew(LeaseHandle handle, RenewRequest request) {
		CompletableFuture<Lease> renewed = handle.demand(request);
		this.time.pass(VirtualEnvironment.CALL);
		assertThat(renewed).isCompletedWithValueMatching(Lease::isLive);
	}

	/** Begins to continue with a lock that was detached. */
	AcquisitionTask startToAdopt(LockToken token) {
		return startToAdopt(token, LockRequest.of(token.key()));
	}

	private AcquisitionTask startToAdopt(LockToken token, LockRequest options) {
		LockRequest request = options.leaseDuration(token.leaseDuration()).change(ItemChange.none());
		AcquisitionTerms terms = this.settings.terms(request, Duration.ZERO, this.environment.now());
		AcquisitionTask task = start(terms.adopting(token, this.environment.now()));
		task.endInTime();
		return task;
	}

	LeaseHandle adopt(LockToken token) {
		return adopt(token, LockRequest.of(token.key()));
	}

	LeaseHandle adopt(LockToken token, LockRequest options) {
		AcquisitionTask task = startToAdopt(token, options);
		this.time.pass(VirtualEnvironment.CALL);
		return granted(task);
	}

	/** Why the lock could not be continued with. */
	LossReason refusedToAdopt(LockToken token) {
		AcquisitionTask task = startToAdopt(token);
		this.time.pass(VirtualEnvironment.CALL.multipliedBy(3));
		LockException refusal = Refusals.explain(task.terms(), refused(task));
		assertThat(refusal).isInstanceOf(LockLostException.class);
		return ((LockLostException) refusal).reason();
	}

	LockToken renew(LockToken token, RenewRequest request) {
		CompletableFuture<LockToken> renewed = tokens().renew(token, request);
		this.time.pass(VirtualEnvironment.CALL);
		assertThat(renewed).isCompleted();
		return renewed.join();
	}

	LockToken renew(LockToken token) {
		return renew(token, RenewRequest.create());
	}

	/** Why the lock was not renewed. */
	LossReason lossOnRenewal(LockToken token) {
		CompletableFuture<LockToken> renewed = tokens().renew(token, RenewRequest.create());
		this.time.pass(VirtualEnvironment.CALL.multipliedBy(3));
		Throwable loss = renewed.handle((value, problem) -> problem).join();
		assertThat(loss).isInstanceOf(LockLostException.class);
		return ((LockLostException) loss).reason();
	}

	ReleaseOutcome release(LockToken token) {
		return ended(tokens().release(token));
	}

	ReleaseOutcome forceRelease(String key, String expectedOwner) {
		return ended(tokens().forceRelease(LockKey.of(key), expectedOwner));
	}

	private ReleaseOutcome ended(CompletableFuture<ReleaseOutcome> outcome) {
		this.time.pass(VirtualEnvironment.CALL.multipliedBy(3));
		assertThat(outcome).isCompleted();
		return outcome.join();
	}

	ReleaseOutcome release(LeaseHandle handle) {
		return release(handle, ReleaseRequest.create());
	}

	ReleaseOutcome release(LeaseHandle handle, ReleaseRequest request) {
		CompletableFuture<ReleaseOutcome> outcome = handle.beginRelease(request);
		this.time.pass(VirtualEnvironment.CALL);
		assertThat(outcome).isDone();
		return outcome.join();
	}

	/** Whether the acquisition has ended, one way or the other. */
	static boolean isOver(AcquisitionTask task) {
		return task.outcome().isDone();
	}

	static LeaseHandle granted(AcquisitionTask task) {
		assertThat(task.outcome()).isDone();
		assertThat(task.outcome().join().handle()).isNotNull();
		return task.outcome().join().handle();
	}

	static Step.End refused(AcquisitionTask task) {
		assertThat(task.outcome()).isDone();
		assertThat(task.outcome().join().handle()).isNull();
		return task.outcome().join().end();
	}

	/** The lock as the table has it, read without the client. */
	LockRecord row(String key) {
		return found(key).orElseThrow();
	}

	/** The same, or empty if there is no item. */
	Optional<LockRecord> found(String key) {
		Answer answer = this.store
			.send(new Step.Read(LockRequest.of(key).key(), true, Nanos.of(Duration.ofSeconds(20))));
		assertThat(answer).isInstanceOf(Answer.Found.class);
		return Optional.ofNullable(((Answer.Found) answer).record());
	}

	/**
	 * A client of another make writes the lock, with the lease as that client writes it.
	 */
	void putRow(String key, String owner, String lease, String version) {
		TestDynamoDb.client()
			.putItem((put) -> put.tableName(this.schema.tableName())
				.item(Map.of(this.schema.partitionKeyName(), AttributeValue.fromS(key), "ownerName",
						AttributeValue.fromS(owner), "leaseDuration", AttributeValue.fromS(lease),
						"recordVersionNumber", AttributeValue.fromS(version), "data",
						AttributeValue.fromB(SdkBytes.fromUtf8String("theirs")))));
	}

	/** The item as the table has it. */
	Map<String, AttributeValue> item(String key) {
		return TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.schema.tableName()).key(itemKey(key)).consistentRead(true))
			.item();
	}

	/** Another kind of client writes one attribute, and nothing else. */
	void setAttribute(String key, String name, AttributeValue value) {
		TestDynamoDb.client()
			.updateItem((update) -> update.tableName(this.schema.tableName())
				.key(itemKey(key))
				.updateExpression("SET #name = :value")
				.expressionAttributeNames(Map.of("#name", name))
				.expressionAttributeValues(Map.of(":value", value)));
	}

	/** An administrator marks the lock's item as released. */
	void freeRow(String key) {
		TestDynamoDb.client()
			.updateItem((update) -> update.tableName(this.schema.tableName())
				.key(Map.of(this.schema.partitionKeyName(), AttributeValue.fromS(key)))
				.updateExpression("SET isReleased = :yes")
				.expressionAttributeValues(Map.of(":yes", AttributeValue.fromS("1"))));
	}

	/** An administrator deletes the table. */
	void deleteTable() {
		TestDynamoDb.client().deleteTable((delete) -> delete.tableName(this.schema.tableName()));
	}

	/** An administrator deletes the lock's item. */
	void deleteRow(String key) {
		TestDynamoDb.client().deleteItem((delete) -> delete.tableName(this.schema.tableName()).key(itemKey(key)));
	}

	private Map<String, AttributeValue> itemKey(String key) {
		return Map.of(this.schema.partitionKeyName(), AttributeValue.fromS(key));
	}

}
