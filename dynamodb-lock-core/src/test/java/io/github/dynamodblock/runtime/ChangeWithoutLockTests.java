/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Changes of an item by a client that does not hold its lock, in virtual time on a real
 * table.
 */
class ChangeWithoutLockTests extends VirtualTimeTest {

	private static final AttributeValue YES = AttributeValue.fromBool(true);

	private static final ItemChange PAUSED = ItemChange.none().attribute("paused", YES);

	/** For a read, a write, and both again. */
	private static final Duration TWO_ROUNDS = Duration.ofMillis(500);

	@Test
	void aChangeIsAReadAndAWrite() {
		one().acquire("k");
		assertThat(ended(begin("k"))).returns("one", LockRecord::ownerName).returns(false, LockRecord::isReleased);
		assertThat(two().environment().reads()).isOne();
		assertThat(two().environment().sent()).isEqualTo(2);
		assertThat(ended(begin("absent"))).returns("two", LockRecord::ownerName).returns(true, LockRecord::isReleased);
		assertThat(two().environment().sent()).isEqualTo(4);
	}

	@Test
	void aHolderThatCrashedAfterAChangeIsTakenOverOneLeaseAfterItsLastHeartbeat() {
		crash(one(), "k");
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(5)));
		time().pass(LEASE.dividedBy(2));
		ended(begin("k"));
		time().pass(LEASE.dividedBy(2));
		assertThat(granted(waiter).record().attributes()).containsEntry("paused", YES);
	}

	@Test
	void aChangeKeepsAReleasedLocksItemFromItsTimeToLive() {
		one().release(one().acquire("k"));
		assertThat(one().item("k")).containsKey("expiresAt");
		ended(begin("k"));
		assertThat(one().item("k")).containsEntry("paused", YES).doesNotContainKey("expiresAt");
	}

	@ParameterizedTest
	@EnumSource
	void aChangeAtTheSameTimeDisturbsNothing(Other other) {
		for (int millis = 0; millis <= 25; millis++) {
			for (boolean changeFirst : new boolean[] { true, false }) {
				String key = other + " " + millis + " " + changeFirst;
				Consumer<VirtualClient> act = other.prepare(this, key);
				CompletableFuture<LockRecord> change = null;
				if (changeFirst) {
					change = begin(key);
					time().pass(Duration.ofMillis(millis));
				}
				act.accept(one());
				if (change == null) {
					time().pass(Duration.ofMillis(millis));
					change = begin(key);
				}
				ended(change);
				assertThat(one().row(key).attributes()).as(key).containsEntry("paused", YES);
				other.check(this, key);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = { "REFUSED", "ANSWER_SLOW" })
	void aChangeIsMadeWhateverHappensToOneOfItsCalls(Fault fault) {
		for (int before = 0; before < 2; before++) {
			for (boolean held : new boolean[] { true, false }) {
				String key = "k" + before + held;
				LeaseHandle lock = held ? one().acquire(key) : null;
				for (int i = 0; i < before; i++) {
					two().environment().next(Fault.NONE);
				}
				two().environment().next(fault);
				CompletableFuture<LockRecord> change = begin(key);
				time().pass(LEASE);
				assertThat(change).isCompletedWithValueMatching((record) -> record.attributes().containsKey("paused"));
				assertThat(one().row(key)).returns(!held, LockRecord::isReleased);
				assertThat(lock == null || lock.isHeld()).isTrue();
			}
		}
	}

	@Test
	void aChangeThatIsNotConfirmedFailsAfterTheTimeOfTwoCalls() {
		one().acquire("k");
		silence(two());
		CompletableFuture<LockRecord> change = begin("k");
		time().pass(Duration.ofSeconds(9));
		assertThat(change).isNotDone();
		time().pass(Duration.ofSeconds(7));
		assertThat(change.handle((record, problem) -> problem).getNow(null)).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("The change of lock 'k' could not be confirmed; read the lock again");
	}

	@Test
	void anItemThatIsNotALockIsReportedAndLeftAlone() {
		one().setAttribute("foreign", "price", YES);
		one().putRow("malformed", "them", "soon", "v1");
		for (String key : new String[] { "foreign", "malformed" }) {
			var before = one().item(key);
			CompletableFuture<LockRecord> change = begin(key);
			time().pass(TWO_ROUNDS);
			assertThat(change.handle((record, problem) -> problem).getNow(null)).isInstanceOfSatisfying(
					LockTableException.class,
					(failure) -> assertThat(failure.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK));
			assertThat(one().item(key)).isEqualTo(before);
		}
	}

	@Test
	void aChangeThatCannotBeMadeOnceIsRefused() {
		for (ItemChange change : new ItemChange[] { PAUSED.copy("a", "b", YES),
				ItemChange.none().attribute("isReleased", YES), ItemChange.none().removeAttributes("fencingToken"),
				ItemChange.none().data(new byte[500_000]) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> two().tokens().change(LockKey.of("k"), change))
				.withMessageContaining("lock 'k'");
		}
		assertThat(two().environment().sent()).isZero();
	}

	private CompletableFuture<LockRecord> begin(String key) {
		return two().tokens().change(LockKey.of(key), PAUSED);
	}

	private LockRecord ended(CompletableFuture<LockRecord> change) {
		time().pass(TWO_ROUNDS);
		assertThat(change).isCompletedWithValueMatching((record) -> record.attributes().containsKey("paused"));
		return change.join();
	}

	/** What the other client does at the same time. */
	@SuppressWarnings("FutureReturnValueIgnored") // what came of it is checked
	enum Other {

		HEARTBEAT {

			@Override
			Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key) {
				LeaseHandle lock = test.one().acquire(key);
				return (one) -> lock.demand(RenewRequest.create().change(ItemChange.none().attribute("beat", YES)));
			}

			@Override
			void check(ChangeWithoutLockTests test, String key) {
				LeaseHandle lock = (LeaseHandle) test.one().client().held().get(0);
				assertThat(lock.isHeld()).isTrue();
				assertThat(test.one().row(key).attributes()).containsEntry("beat", YES);
				assertThat(test.one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
			}

		},

		RELEASE {

			@Override
			Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key) {
				LeaseHandle lock = test.one().acquire(key);
				return (one) -> lock.releaseAsync();
			}

			@Override
			void check(ChangeWithoutLockTests test, String key) {
				assertThat(test.one().row(key).isReleased()).isTrue();
			}

		},

		TAKEOVER {

			@Override
			Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key) {
				test.two().acquire(LockRequest.of(key).automaticRenewal(false));
				test.one().start(LockRequest.of(key));
				test.time().pass(LEASE.plus(LEASE));
				return (one) -> one.start(LockRequest.of(key));
			}

			@Override
			void check(ChangeWithoutLockTests test, String key) {
				assertIsHeldByOne(test, key);
			}

		},

		ACQUISITION {

			@Override
			Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key) {
				return (one) -> one.start(LockRequest.of(key));
			}

			@Override
			void check(ChangeWithoutLockTests test, String key) {
				assertIsHeldByOne(test, key);
			}

		},

		DELETION {

			@Override
			Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key) {
				test.one().release(test.one().acquire(key));
				return (one) -> {
					// After the change, it would delete what was written.
					if (!one.row(key).attributes().containsKey("paused")) {
						one.deleteRow(key);
					}
				};
			}

			@Override
			void check(ChangeWithoutLockTests test, String key) {
				assertThat(test.one().row(key).isReleased()).isTrue();
				test.one().release(test.one().acquire(key));
			}

		};

		abstract Consumer<VirtualClient> prepare(ChangeWithoutLockTests test, String key);

		abstract void check(ChangeWithoutLockTests test, String key);

		private static void assertIsHeldByOne(ChangeWithoutLockTests test, String key) {
			assertThat(test.one().row(key)).returns("one", LockRecord::ownerName)
				.returns(false, LockRecord::isReleased);
			LeaseHandle lock = (LeaseHandle) test.one().client().held().get(0);
			assertThat(test.one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		}

	}

}
