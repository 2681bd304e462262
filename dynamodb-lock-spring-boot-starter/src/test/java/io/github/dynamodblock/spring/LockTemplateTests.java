/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockTemplateTests {

	private final CallRecorder calls = new CallRecorder();

	private DynamoDbClient dynamoDbClient;

	private LockClient client;

	private LockClient other;

	private LockTemplate template;

	@BeforeEach
	void createTable(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		this.dynamoDbClient = dynamoDb.newClient(this.calls::attach);
		LockTable.of(this.dynamoDbClient, table).createIfMissing();
		this.client = newClient(table);
		this.other = newClient(table);
		this.template = new LockTemplate(this.client);
		this.calls.clear();
	}

	private LockClient newClient(String table) {
		return LockClient.builder(this.dynamoDbClient).tableName(table).leaseDuration(Duration.ofSeconds(4)).build();
	}

	@AfterEach
	void close() {
		this.calls.deny((request) -> false);
		this.client.close();
		this.other.close();
		this.dynamoDbClient.close();
	}

	@Test
	void theBodyRunsUnderTheLockAndItsResultIsReturned() {
		String result = this.template.execute("k", (lock) -> {
			assertThat(lock.isHeld()).isTrue();
			assertThat(lock.key()).isEqualTo(LockKey.of("k"));
			assertThat(LockContext.current()).containsSame(lock);
			return "done";
		});
		assertThat(result).isEqualTo("done");
		assertThat(LockContext.current()).isEmpty();
		assertThat(isFree("k")).isTrue();
	}

	@Test
	void aBodyWithoutAResultRunsUnderTheLock() {
		AtomicBoolean held = new AtomicBoolean();
		this.template.executeWithoutResult("k", (lock) -> held.set(lock.isHeld()));
		assertThat(held).isTrue();
		assertThat(isFree("k")).isTrue();
	}

	@Test
	void aCheckedExceptionOfTheBodyReachesTheCallerAsItIs() {
		IOException failure = new IOException("the body's");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> failing("k", failure)).isSameAs(failure);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> failingIfFree(failure)).isSameAs(failure);
		assertThat(isFree("k")).isTrue();
	}

	/** Declares what the body throws, and nothing else. */
	private String failing(String key, IOException failure) throws IOException {
		return this.template.executeChecked(key, (lock) -> {
			throw failure;
		});
	}

	/** Likewise. */
	private Optional<String> failingIfFree(IOException failure) throws IOException {
		return this.template.executeIfFreeChecked("k", (lock) -> {
			throw failure;
		});
	}

	@Test
	void whoWaitsInVainIsToldWhoHoldsTheLockAndTheBodyDoesNotRun() throws Exception {
		AtomicBoolean ran = new AtomicBoolean();
		try (HeldLock held = this.other.acquire("k")) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.template.waitTime(Duration.ZERO)
					.executeWithoutResult("k", (lock) -> ran.set(held.isHeld())))
				.withMessageContaining(this.other.ownerName());
		}
		assertThat(ran).isFalse();
	}

	@Test
	void executeWaitsUntilTheLockIsFree() throws Exception {
		HeldLock held = this.other.acquire("k");
		CompletableFuture<Long> token = CompletableFuture
			.supplyAsync(() -> this.template.waitTime(Duration.ofMinutes(1)).execute("k", HeldLock::fencingToken));
		await().until(() -> !this.client.waiting().isEmpty());
		held.release();
		assertThat(token).succeedsWithin(Duration.ofSeconds(30))
			.satisfies((granted) -> assertThat(granted).isGreaterThan(held.fencingToken()));
	}

	@Test
	void executeIfFreeReturnsTheResultOfABodyThatRan() throws Exception {
		LockTemplate patient = this.template.waitTime(Duration.ofMinutes(1));
		try (HeldLock held = this.other.acquire("k")) {
			assertThat(patient.<String>executeIfFree("k", (lock) -> "ran beside " + held)).isEmpty();
		}
		assertThat(patient.<String>executeIfFree("k", (lock) -> "ran")).hasValue("ran");
		assertThat(patient.<String>executeIfFree("k", (lock) -> null)).isEmpty();
	}

	@Test
	void aRefusalThatTheBodyThrowsDoesNotMeanThatTheLockIsBusy() {
		LockNotGrantedException refusal = new LockNotGrantedException(LockKey.of("other"), "at all", null, null);
		assertThatExceptionOfType(LockNotGrantedException.class)
			.isThrownBy(() -> this.template.executeIfFreeWithoutResult("k", (lock) -> {
				throw refusal;
			}))
			.isSameAs(refusal);
	}

	@Test
	void executeIfFreeWithoutResultTellsWhetherItRan() throws Exception {
		AtomicBoolean ran = new AtomicBoolean();
		try (HeldLock held = this.other.acquire("k")) {
			assertThat(this.template.executeIfFreeWithoutResult("k", (lock) -> ran.set(held.isHeld()))).isFalse();
			assertThat(ran).isFalse();
		}
		assertThat(this.template.executeIfFreeWithoutResult("k", (lock) -> ran.set(true))).isTrue();
		assertThat(ran).isTrue();
	}

	@Test
	void aKeyIsCompletedByThePrefix() {
		LockTemplate prefixed = this.template.keyPrefix("app-");
		assertThat(prefixed.<LockKey>execute("k", HeldLock::key)).isEqualTo(LockKey.of("app-k"));
		assertThatIllegalArgumentException().isThrownBy(() -> prefixed.execute(" ", HeldLock::key))
			.withMessageContaining("key");
	}

	@Test
	void optionsOfTheTemplateAreThoseOfItsLocks() {
		LockTemplate named = this.template.name("orders").leaseDuration(Duration.ofSeconds(7));
		named.executeWithoutResult("k", (lock) -> {
			assertThat(lock.name()).hasValue("orders");
			assertThat(lock.record().leaseDuration()).isEqualTo(Duration.ofSeconds(7));
		});
		named.options((request) -> request.name("own").leaseDuration(Duration.ofSeconds(9)))
			.executeWithoutResult("k", (lock) -> {
				assertThat(lock.name()).hasValue("own");
				assertThat(lock.record().leaseDuration()).isEqualTo(Duration.ofSeconds(9));
			});
		assertThatIllegalArgumentException()
			.isThrownBy(() -> named.options((request) -> request.leaseDuration(Duration.ZERO)));
	}

	@Test
	void aLockToBeHeldAtLeastOutlivesTheBodyAndItsCallerDoesNotWait() {
		this.template.holdAtLeast(Duration.ofMinutes(1)).executeWithoutResult("k", (lock) -> {
		});
		assertThat(isFree("k")).isFalse();
	}

	@Test
	void aLockIsHeldAtMostAsTheTemplateSays() {
		LockTemplate limited = this.template.leaseDuration(Duration.ofMinutes(1)).holdAtMost(Duration.ofSeconds(20));
		limited.executeWithoutResult("k", (lock) -> assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(21)));
	}

	@Test
	void aNestedCallForTheSameLockSendsNothingAndHasTheSameToken() {
		// So long a lease that no heartbeat is due.
		this.template.leaseDuration(Duration.ofMinutes(1)).executeWithoutResult("k", (outer) -> {
			this.calls.clear();
			this.template.executeWithoutResult("k", (inner) -> assertThat(inner).isSameAs(outer));
			assertThat(this.template.executeIfFree("k", HeldLock::fencingToken)).hasValue(outer.fencingToken());
			assertThat(outer.isHeld()).isTrue();
			assertThat(this.calls.calls()).isEmpty();
		});
		assertThat(isFree("k")).isTrue();
	}

	@Test
	void insideANestedCallItsLockIsTheCurrentOne() {
		this.template.executeWithoutResult("a", (a) -> this.template.executeWithoutResult("b", (b) -> {
			this.template.executeWithoutResult("a",
					(joined) -> assertThat(LockContext.current()).containsSame(a).containsSame(joined));
			assertThat(LockContext.current()).containsSame(b);
		}));
	}

	@Test
	void aNestedCallIsRefusedOnceTheLockIsLost() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.executeWithoutResult("k", (lock) -> {
				this.other.forceRelease(lock.key(), lock.record().ownerName());
				assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::renew);
				this.template.executeWithoutResult("k", (inner) -> {
				});
			}));
	}

	@Test
	void anotherClientsLockIsNotJoined() {
		this.template.executeWithoutResult("k",
				(lock) -> assertThat(new LockTemplate(this.other).executeIfFreeWithoutResult("k", (taken) -> {
				})).isFalse());
	}

	@Test
	void aFailingReleaseReplacesNeitherResultNorException(CapturedLog log) {
		assertThat(this.template.<String>execute("a", (lock) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			return "done";
		})).isEqualTo("done");
		assertThat(log).contains("Lock 'a' could not be released when the body of a LockTemplate ended");
		this.calls.deny((request) -> false);
		IOException failure = new IOException("the body's");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.executeChecked("b", (lock) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			throw failure;
		}))
			.isSameAs(failure)
			.satisfies((thrown) -> assertThat(thrown.getSuppressed()).singleElement()
				.isInstanceOf(LockStoreException.class));
	}

	@Test
	void aStageThatCannotBeTurnedIntoAFutureIsReturned(CapturedLog log) {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletionStage<?> stage = (CompletionStage<?>) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CompletionStage.class }, (self, method, arguments) -> {
					if (method.getName().equals("toCompletableFuture")) {
						throw new UnsupportedOperationException();
					}
					return method.invoke(work, arguments);
				});
		assertThat((Object) this.template.<CompletionStage<?>>execute("k", (lock) -> stage)).isSameAs(stage);
		assertThat(log).containsOnlyOnce("whose work is not done");
		work.complete("done");
		assertThat((Object) this.template.<CompletionStage<?>>execute("k", (lock) -> stage)).isSameAs(stage);
		assertThat(log).containsOnlyOnce("whose work is not done");
	}

	@Test
	void aResultThatIsNotThereYetIsReported(CapturedLog log) {
		CompletableFuture<String> work = new CompletableFuture<>();
		this.template.execute("k", (lock) -> CompletableFuture.completedFuture("done"));
		assertThat(log).doesNotContain("whose work is not done");
		assertThat(this.template.<Object>execute("k", (lock) -> work)).isSameAs(work);
		assertThat(log).containsPattern("WARN .*CompletableFuture whose work is not done. Lock 'k'");
		this.template.execute("k", (lock) -> Stream.of("read later"));
		assertThat(log).containsPattern("WARN .*stream.*Pipeline.* whose work is not done");
		this.template.execute("k", (lock) -> Mono.just("done"));
		assertThat(log).containsPattern("WARN .*Mono\\w+ whose work is not done");
	}

	@Test
	void aLossIsLoggedAndTheResultReturned(CapturedLog log) {
		assertThat(this.template.<String>execute("k", (lock) -> {
			this.other.forceRelease(lock.key(), lock.record().ownerName());
			return "done";
		})).isEqualTo("done");
		assertThat(log).containsPattern("INFO .*Lock 'k' .*was lost while the body of a LockTemplate ran");
	}

	@Test
	void anInterruptedWaitEndsWithTheFlagSetAndTheBodyDoesNotRun() throws Exception {
		AtomicBoolean ran = new AtomicBoolean();
		try (HeldLock held = this.other.acquire("k")) {
			CompletableFuture<Throwable> thrown = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				try {
					this.template.waitTime(Duration.ofMinutes(1)).executeWithoutResult("k", (lock) -> ran.set(true));
				}
				catch (LockWaitInterruptedException ex) {
					thrown.complete(Thread.currentThread().isInterrupted() ? ex : new AssertionError("no flag"));
				}
			});
			caller.start();
			await().until(() -> !this.client.waiting().isEmpty());
			caller.interrupt();
			assertThat(thrown).succeedsWithin(Duration.ofSeconds(30))
				.isInstanceOfSatisfying(LockWaitInterruptedException.class,
						(ex) -> assertThat(ex.key()).isEqualTo(held.key()));
		}
		assertThat(ran).isFalse();
	}

	private boolean isFree(String key) {
		return this.other.find(key).orElseThrow().isReleased();
	}

}
