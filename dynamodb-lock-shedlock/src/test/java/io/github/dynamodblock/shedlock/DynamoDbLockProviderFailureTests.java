/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Failures of DynamoDB, interrupts, and arguments that are not valid.
 */
@Timeout(120)
class DynamoDbLockProviderFailureTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final TestTable table = new TestTable();

	private final TestTable.Access access = new TestTable.Access();

	private final LockClient client = this.table.newClient(this.access);

	private final LockProvider provider = new DynamoDbLockProvider(this.client);

	private final LockProvider otherProvider = new DynamoDbLockProvider(this.table.newClient());

	@AfterEach
	void close() throws Exception {
		this.access.deny(false);
		this.table.close();
	}

	private static LockConfiguration job(String name, Duration atMost, Duration atLeast) {
		return new LockConfiguration(Instant.now(), name, atMost, atLeast);
	}

	private static LockConfiguration job() {
		return job("job", HOUR, Duration.ZERO);
	}

	@Test
	void aLockThatDynamoDbRefusesThrows() {
		this.access.deny(true);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.provider.lock(job()))
			.withMessageStartingWith("Lock 'shedlock:job' could not be acquired: ")
			.withMessageContaining("denied by the test")
			.withCauseInstanceOf(LockStoreException.class);
		this.access.deny(false);
		assertThat(this.provider.lock(job())).isPresent();
	}

	@Test
	void aMissingTableThrows() {
		try (LockClient noTable = LockClient.builder(TestTable.dynamoDb()).tableName("no-such-table").build()) {
			assertThatExceptionOfType(LockException.class)
				.isThrownBy(() -> new DynamoDbLockProvider(noTable).lock(job()))
				.withMessageContaining("no-such-table")
				.withCauseInstanceOf(LockTableException.class);
		}
	}

	@Test
	void aTaskWhoseUnlockFailsKeepsItsResult() throws Throwable {
		LockingTaskExecutor.TaskResult<String> result = executor().executeWithLock(() -> {
			this.access.deny(true);
			return "done";
		}, job());
		assertThat(result.getResult()).isEqualTo("done");
	}

	@Test
	void aFailedTaskWhoseUnlockFailsKeepsItsException() {
		IllegalStateException failure = new IllegalStateException("the task's");
		assertThatIllegalStateException().isThrownBy(() -> executor().executeWithLock((Runnable) () -> {
			this.access.deny(true);
			throw failure;
		}, job())).isSameAs(failure);
	}

	@Test
	void aFailedExtensionThrowsAndCanBeRepeated() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		this.access.deny(true);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.extend(HOUR, Duration.ZERO))
			.withMessageStartingWith("Lock 'shedlock:job' could not be extended: ")
			.withMessageContaining("denied by the test");
		assertThat(this.otherProvider.lock(job())).isEmpty();
		this.access.deny(false);
		SimpleLock extended = lock.extend(HOUR, Duration.ZERO).orElseThrow();
		assertThat(this.client.held()).hasSize(1);
		assertThat(this.otherProvider.lock(job())).isEmpty();
		extended.unlock();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void afterAFailedExtensionTheLockCanBeUnlocked() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		this.access.deny(true);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.extend(HOUR, Duration.ZERO));
		this.access.deny(false);
		lock.unlock();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void anUnlockThatFailsAfterAFailedExtensionDoesNotThrow() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		this.access.deny(true);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.extend(HOUR, Duration.ZERO));
		assertThatCode(lock::unlock).doesNotThrowAnyException();
	}

	private LockingTaskExecutor executor() {
		return new DefaultLockingTaskExecutor(this.provider);
	}

	@Test
	void anInvalidExtensionLeavesTheLockAsItIs() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofMillis(50), Duration.ZERO));
		assertThat(this.client.held()).hasSize(1);
		lock.unlock();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void aMessageOfTheLockClientIsNotSaidTwice() {
		String message = "Lock 'shedlock:job' could not be acquired: A DynamoDB call failed";
		LockStoreException failure = new LockStoreException(message, null);
		LockKey key = LockKey.of("shedlock:job");
		assertThat(DynamoDbLockProvider.failed("acquired", key, failure)).hasMessage(message).hasCause(failure);
		assertThat(DynamoDbLockProvider.failed("extended", key, failure))
			.hasMessage("Lock 'shedlock:job' could not be extended: " + message);
	}

	@Test
	void aClosedClientThrows() {
		this.client.close();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.provider.lock(job()))
			.withCauseInstanceOf(LockClientClosedException.class);
	}

	@Test
	void anInterruptedThreadGetsNoLockAndStaysInterrupted() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.provider.lock(job()))
			.withMessage("Lock 'shedlock:job' could not be acquired: the thread was interrupted")
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void anInterruptedThreadUnlocks() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		Thread.currentThread().interrupt();
		lock.unlock();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void anInterruptedExtensionThrowsAndTheLockCanBeUnlocked() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.extend(HOUR, Duration.ZERO))
			.withMessage("Lock 'shedlock:job' could not be extended: the thread was interrupted");
		assertThat(Thread.interrupted()).isTrue();
		lock.unlock();
		assertThat(this.otherProvider.lock(job())).isPresent();
	}

	@Test
	void aNameThatIsTooLongIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.provider.lock(job("n".repeat(2040), HOUR, Duration.ZERO)))
			.withMessageStartingWith("The key prefix of the lock provider and the name of ShedLock's lock together"
					+ " are not a valid lock key; change one of them. ")
			.withMessageContaining("has 2049 bytes in UTF-8; DynamoDB allows at most 2048");
		assertThat(this.provider.lock(job("n".repeat(2039), HOUR, Duration.ZERO))).isPresent();
	}

	@Test
	void aKeyPrefixThatIsTooLongIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new DynamoDbLockProvider(this.client, "p".repeat(2048)))
			.withMessageContaining("key prefix");
	}

	@Test
	@SuppressWarnings("NullAway") // what callers without it may do
	void nullIsRejected() {
		assertThatNullPointerException().isThrownBy(() -> new DynamoDbLockProvider(null));
		assertThatNullPointerException().isThrownBy(() -> new DynamoDbLockProvider(this.client, null));
	}

	@Test
	void aLockAtMostForThatIsTooShortIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.provider.lock(job("job", Duration.ofMillis(50), Duration.ZERO)))
			.withMessageStartingWith("Lock 'shedlock:job' cannot be held as configured: ")
			.withMessageContaining("Set lockAtMostFor (here holdAtMost) to at least 100 ms");
	}

	@Test
	void aLockAtLeastForThatIsTooLongIsRejected() {
		Duration years = Duration.ofDays(366);
		assertThatIllegalArgumentException().isThrownBy(() -> this.provider.lock(job("job", years, years)))
			.withMessageContaining("lockAtLeastFor (here holdAtLeast) to at most 365 days");
	}

}
