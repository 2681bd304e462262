/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** All requests are sent, and answered, in the second 1,000. */
class LockModelTests {

	private static final String LOCK = "lock";

	private static final Request ACQUISITION = Request.acquire(LOCK, "a", 60);

	private static final Request RENEWAL = Request.renew(LOCK, "a", 10, "k").limitedTo(7);

	private static final Request RELEASE = Request.release(LOCK, "a").limitedTo(7);

	private final LockModel model = new LockModel();

	@Test
	void rightAnswersPass() {
		right(Request.look(LOCK, "a"), new Free());
		right(ACQUISITION.marked("m"), new Granted(60, 1060, 7));
		right(ACQUISITION.marked("m").copy(), new Granted(60, 1060, 7));
		right(RENEWAL, new Granted(70, 1070, 7));
		right(RENEWAL.copy(), new Granted(70, 1070, 7));
		right(ACQUISITION, new Granted(70, 1070, 7));
		right(Request.acquire(LOCK, "b", 60), new Refused());
		right(Request.look(LOCK, "b"), new Taken(1070));
		right(RELEASE, new Released());
		right(RELEASE.copy(), new Released());
		right(ACQUISITION, new Granted(60, 1060, 8));
		right(RENEWAL.copy(), new Refused());
		right(RELEASE.copy(), new Refused());
	}

	@Test
	void leaseThatACopyOfAnAcquisitionShortensEndedEarly() {
		right(ACQUISITION, new Granted(60, 1060, 7));
		right(RENEWAL, new Granted(70, 1070, 7));

		wrong("a lease ended early", ACQUISITION.copy(), new Granted(60, 1060, 7));
	}

	@Test
	void lockThatAnotherClientIsGrantedEndedEarly() {
		right(ACQUISITION, new Granted(60, 1060, 7));

		wrong("a lease ended early", Request.acquire(LOCK, "b", 60), new Granted(60, 1060, 8));
	}

	@Test
	void copyOfAnAcquisitionWithItsKeyThatLengthensTheLeaseIsWrong() {
		right(ACQUISITION.marked("m"), new Granted(60, 1060, 7));

		wrong("a wrong expiry", ACQUISITION.marked("m").copy(), new Granted(61, 1061, 7));
	}

	@Test
	void secondsThatEndAfterTheExpiryAreWrong() {
		right(ACQUISITION, new Granted(60, 1060, 7));

		wrong("seconds beyond the expiry", RENEWAL, new Granted(72, 1070, 7));
	}

	@Test
	void copyThatReachesTheNextHoldIsWrong() {
		right(ACQUISITION, new Granted(60, 1060, 7));
		right(RELEASE, new Released());
		right(ACQUISITION, new Granted(60, 1060, 8));

		wrong("another hold was renewed", RENEWAL.copy(), new Granted(70, 1070, 8));
		wrong("the next hold was freed", RELEASE.copy(), new Released());
	}

	@Test
	void holderThatIsRefusedOrGrantedAnotherTokenIsWrong() {
		right(ACQUISITION, new Granted(60, 1060, 7));

		wrong("an acquisition was refused", ACQUISITION.copy(), new Refused());
		wrong("a renewal was refused", RENEWAL, new Refused());
		wrong("a wrong sum", RENEWAL, new Granted(60, 1060, 7));
		wrong("another state", Request.look(LOCK, "a"), new Free());
		wrong("a release was refused", RELEASE, new Refused());
		wrong("a wrong fencing token", ACQUISITION, new Granted(60, 1060, 7));
	}

	private void right(Request request, Answer answer) {
		assertThat(answered(request, answer)).isNull();
	}

	private void wrong(String fault, Request request, Answer answer) {
		assertThat(answered(request, answer)).startsWith(fault + ": Request[action=" + request.action());
	}

	private @Nullable String answered(Request request, Answer answer) {
		return this.model.answered(request, answer, 1_000_000, 1_000_900);
	}

}
