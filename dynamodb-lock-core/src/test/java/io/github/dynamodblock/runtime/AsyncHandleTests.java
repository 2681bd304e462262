/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Releases and renewals that return a future, in virtual time on a real table.
 */
class AsyncHandleTests extends VirtualTimeTest {

	private static final Duration SOON = Duration.ofSeconds(30);

	private static final ReleaseRequest RELEASE = ReleaseRequest.create();

	private static final RenewRequest RENEW = RenewRequest.create();

	@Test
	void aReleaseCompletesWhenItIsConfirmed() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> released = lock.releaseAsync();
		assertThat(lock.isHeld()).isFalse();
		assertThat(released).isNotDone();
		time().pass(Duration.ofSeconds(1));
		assertThat(released).succeedsWithin(SOON).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(lock.releaseAsync()).succeedsWithin(SOON).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aReleaseCompletesOnTheExecutorAndWithoutOneThatRejects() {
		LeaseHandle lock = one().acquire("k");
		List<Runnable> tasks = new ArrayList<>();
		CompletableFuture<ReleaseOutcome> released = lock.releaseAsync(RELEASE, tasks::add);
		CompletableFuture<ReleaseOutcome> rejected = lock.releaseAsync(RELEASE, (task) -> {
			throw new RejectedExecutionException("full");
		});
		time().pass(Duration.ofSeconds(1));
		assertThat(released).isNotDone();
		tasks.forEach(Runnable::run);
		assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(rejected).isCompleted();
	}

	@Test
	void aReleaseThatIsNotConfirmedFailsAsDoesAFurtherOne() {
		LeaseHandle lock = one().acquire("k");
		for (int release = 0; release < 2; release++) {
			assertThat(releaseUnanswered(lock)).failsWithin(SOON)
				.withThrowableThat()
				.withCauseExactlyInstanceOf(LockStoreException.class);
		}
	}

	@Test
	void aReleaseThatTheClientsCloseEndsCompletesToo() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST);
		CompletableFuture<ReleaseOutcome> released = lock.releaseAsync();
		one().client().close();
		assertThat(released).failsWithin(SOON);
	}

	@Test
	void aRenewalCompletesWhenItsHeartbeatIsConfirmed() {
		LeaseHandle lock = one().acquire("k");
		String version = lock.record().recordVersionNumber();
		CompletableFuture<Void> renewed = lock.renewAsync(RENEW.leaseDuration(LEASE.multipliedBy(2)));
		assertThat(renewed).isNotDone();
		time().pass(VirtualEnvironment.CALL);
		assertThat(renewed).succeedsWithin(SOON);
		assertThat(one().row("k").recordVersionNumber()).isNotEqualTo(version);
		assertThat(lock.remaining()).isGreaterThan(LEASE);
	}

	@Test
	void aRenewalOfALockThatIsLostOrReleasedFails() {
		LeaseHandle lost = one().acquire("lost");
		one().deleteRow("lost");
		CompletableFuture<Void> renewed = lost.renewAsync();
		time().pass(Duration.ofSeconds(1));
		assertThat(renewed).failsWithin(SOON).withThrowableThat().withCauseExactlyInstanceOf(LockLostException.class);
		LeaseHandle released = one().acquire("released");
		one().release(released);
		assertThat(released.renewAsync()).failsWithin(SOON)
			.withThrowableThat()
			.withCauseExactlyInstanceOf(IllegalStateException.class);
	}

	@Test
	void aChangeThatIsNotAllowedIsRejectedAndTheLockStaysHeld() {
		LeaseHandle lock = one().acquire("k");
		ItemChange key = ItemChange.none().attribute("ownerName", AttributeValue.fromS("me"));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.releaseAsync(RELEASE.change(key)));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.renewAsync(RENEW.change(key)));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void dependentsThatBlockDelayNeitherHeartbeatsNorReleases() {
		LeaseHandle lock = one().acquire("k");
		Thread client = Thread.currentThread();
		CompletableFuture<Thread> renewed = lock.renewAsync().thenApply((nothing) -> Thread.currentThread());
		time().pass(VirtualEnvironment.CALL);
		assertThat(renewed).succeedsWithin(SOON).isNotEqualTo(client);
		CompletableFuture<Void> blocked = new CompletableFuture<>();
		CompletableFuture<ReleaseOutcome> released = lock.releaseAsync().whenComplete((outcome, ex) -> blocked.join());
		time().pass(Duration.ofSeconds(1));
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(released).isNotDone();
		blocked.complete(null);
		assertThat(released).succeedsWithin(SOON).isEqualTo(ReleaseOutcome.RELEASED);
	}

	private CompletableFuture<ReleaseOutcome> releaseUnanswered(LeaseHandle lock) {
		Fault[] silence = new Fault[40];
		Arrays.fill(silence, Fault.REQUEST_LOST);
		one().environment().next(silence);
		CompletableFuture<ReleaseOutcome> outcome = lock.releaseAsync();
		time().pass(LEASE.plusSeconds(20));
		one().environment().forgetFaults();
		return outcome;
	}

}
