/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The defaults and options of requests, and that requests are immutable.
 */
class LockRequestTests {

	static final Duration LEASE = Duration.ofSeconds(20);

	private static final ItemChange CHANGE = ItemChange.none().attribute("a", AttributeValue.fromN("1"));

	private static final ItemChange UNDO = ItemChange.none().removeAttributes("a");

	private static final KeptItem KEPT = KeptItem.create().undo(UNDO).changeAtLimit(CHANGE);

	private static final ItemCondition OPEN = ItemCondition.exists("open");

	@Test
	void whatIsNotSetIsLeftToTheClient() {
		LockRequest request = LockRequest.of("k");
		assertThat(request.key()).isEqualTo(LockKey.of("k"));
		assertThat(request.name()).isEmpty();
		assertThat(request.waitTime()).isEmpty();
		assertThat(request.leaseDuration()).isEmpty();
		assertThat(request.heartbeatPeriod()).isEmpty();
		assertThat(request.pollInterval()).isEmpty();
		assertThat(request.condition()).isEmpty();
		assertThat(request.deleteOnRelease()).isEmpty();
		assertThat(request.keptItem()).isEmpty();
		assertThat(request.listeners()).isEmpty();
		assertThat(request.automaticRenewal()).isTrue();
		assertThat(request.onlyIfItemExists()).isFalse();
		assertThat(request.holdAtLeast()).isZero();
		assertThat(request.holdAtMost()).isEmpty();
		assertThat(request.change().changesData()).isTrue();
		assertThat(request.releaseOnClose()).isTrue();
		assertThat(request.change().data()).isEmpty();
	}

	@Test
	void everyOptionIsKeptBesideAllOthers() {
		LockListener listener = new LockListener() {
		};
		LockRequest request = LockRequest.of("k")
			.name("orders")
			.waitTime(Duration.ofSeconds(1))
			.leaseDuration(Duration.ofSeconds(2))
			.heartbeatPeriod(Duration.ofMillis(13))
			.automaticRenewal(false)
			.pollInterval(Duration.ofMillis(50))
			.holdAtLeast(Duration.ofSeconds(6))
			.holdAtMost(Duration.ofSeconds(7))
			.onlyIfItemExists(true)
			.condition(OPEN)
			.deleteOnRelease(false)
			.keptItem(KEPT)
			.change(CHANGE)
			.releaseOnClose(false)
			.data(new byte[] { 7 })
			.listener(listener);
		assertThat(request.name()).hasValue("orders");
		assertThat(request.waitTime()).hasValue(Duration.ofSeconds(1));
		assertThat(request.leaseDuration()).hasValue(Duration.ofSeconds(2));
		assertThat(request.heartbeatPeriod()).hasValue(Duration.ofMillis(13));
		assertThat(request.automaticRenewal()).isFalse();
		assertThat(request.pollInterval()).hasValue(Duration.ofMillis(50));
		assertThat(request.holdAtLeast()).isEqualTo(Duration.ofSeconds(6));
		assertThat(request.holdAtMost()).hasValue(Duration.ofSeconds(7));
		assertThat(request.onlyIfItemExists()).isTrue();
		assertThat(request.condition()).hasValue(OPEN);
		assertThat(request.deleteOnRelease()).hasValue(false);
		assertThat(request.keptItem()).hasValue(KEPT);
		assertThat(request.change().attributes()).isEqualTo(CHANGE.attributes());
		assertThat(request.releaseOnClose()).isFalse();
		assertThat(request.change().data()).hasValue(new byte[] { 7 });
		assertThat(request.listeners()).containsExactly(listener);
	}

	@Test
	void noWitherChangesTheRequestThatItIsCalledOn() {
		LockRequest request = LockRequest.of("k");
		List<UnaryOperator<LockRequest>> withers = List.of((from) -> from.name("orders"),
				(from) -> from.waitTime(LEASE), (from) -> from.leaseDuration(LEASE),
				(from) -> from.heartbeatPeriod(LEASE), (from) -> from.automaticRenewal(false),
				(from) -> from.pollInterval(LEASE), (from) -> from.holdAtLeast(LEASE), (from) -> from.holdAtMost(LEASE),
				(from) -> from.onlyIfItemExists(true), (from) -> from.deleteOnRelease(true),
				(from) -> from.keptItem(KEPT), (from) -> from.condition(OPEN), (from) -> from.change(CHANGE),
				(from) -> from.releaseOnClose(false), (from) -> from.data(new byte[1]),
				(from) -> from.listener(new LockListener() {
				}));
		for (UnaryOperator<LockRequest> wither : withers) {
			LockRequest changed = wither.apply(request);
			assertThat(changed).usingRecursiveComparison().isNotEqualTo(request);
			assertThat(request).usingRecursiveComparison().isEqualTo(LockRequest.of("k"));
		}
	}

	@Test
	void aKeptItemIsChangedByTheApplicationOnlyUnlessAsked() {
		assertThat(KeptItem.create()).isEqualTo(new KeptItem(ItemChange.none(), ItemChange.none()));
		assertThat(KEPT.undo()).isSameAs(UNDO);
		assertThat(KEPT.changeAtLimit()).isSameAs(CHANGE);
	}

	@Test
	void listenersAreAdded() {
		LockListener first = new LockListener() {
		};
		LockListener second = new LockListener() {
		};
		LockRequest request = LockRequest.of("k").listener(first);
		assertThat(request.listener(second).listeners()).containsExactly(first, second);
		assertThat(request.listeners()).containsExactly(first);
	}

	@Test
	void aSlotBeyondThePermitsIsRefused() {
		LockRequest semaphore = LockRequest.of("k").permits(3);
		assertThat(semaphore.slot(2).key()).isEqualTo(LockKey.of("k#2"));
		assertThatIllegalArgumentException().isThrownBy(() -> semaphore.slot(3))
			.withMessage("slot is 3; it must be from 0 to 2 for these permits");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("k").slot(1));
	}

	@Test
	void aBlankNameIsRefused() {
		LockRequest request = LockRequest.of("k");
		assertThatIllegalArgumentException().isThrownBy(() -> request.name(" "))
			.withMessageStartingWith("name is blank; set the name that metrics use for this kind of lock");
	}

	@Test
	void aRenewalChangesNothingUnlessAsked() {
		RenewRequest request = RenewRequest.create();
		RenewRequest changed = request.leaseDuration(LEASE).change(CHANGE);
		assertThat(request.leaseDuration()).isEmpty();
		assertThat(request.change().isNone()).isTrue();
		assertThat(changed.leaseDuration()).hasValue(LEASE);
		assertThat(changed.change()).isSameAs(CHANGE);
		assertThat(changed.leaseDuration(Duration.ofSeconds(1)).change()).isSameAs(CHANGE);
		assertThat(changed).hasToString("RenewRequest[leaseDuration=Optional[PT20S], change=" + CHANGE + "]");
	}

	@Test
	void aReleaseWaitsTenSecondsUnlessAsked() {
		ReleaseRequest request = ReleaseRequest.create();
		ReleaseRequest changed = request.waitTime(Duration.ZERO).change(CHANGE);
		assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(10));
		assertThat(request.change().isNone()).isTrue();
		assertThat(changed.waitTime()).isZero();
		assertThat(changed.change()).isSameAs(CHANGE);
		assertThat(changed).hasToString("ReleaseRequest[change=" + CHANGE + ", waitTime=PT0S]");
	}

}
