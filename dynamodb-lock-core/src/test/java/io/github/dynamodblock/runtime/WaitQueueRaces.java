/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.runtime.shared.WaitQueue;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * What those who wait for one key may do, while the first of them has the turn.
 */
public class WaitQueueRaces {

	private final WaitQueue queue = new WaitQueue();

	/** Whose turn it was; only who has the turn gives it to the next. */
	private final List<String> turns = new ArrayList<>();

	private final WaitQueue.Waiter second = (key) -> this.turns.add("second");

	private final WaitQueue.Waiter third = (key) -> this.turns.add("third");

	private int over;

	public WaitQueueRaces() {
		enters((key) -> this.turns.add("first"));
	}

	@Operation
	public void firstLeaves() {
		this.over++;
		this.queue.leave(RacingClient.KEY);
	}

	@Operation
	public boolean secondEnters() {
		return enters(this.second);
	}

	@Operation
	public boolean secondWithdraws() {
		return this.queue.withdraw(RacingClient.KEY, this.second);
	}

	@Operation
	public boolean thirdEnters() {
		return enters(this.third);
	}

	/** As a caller that does not wait: its time is over from the beginning. */
	@Operation
	public void thirdTries() {
		if (!enters(this.third)) {
			this.queue.current(RacingClient.KEY);
		}
	}

	/** Everybody whose turn has come leaves, until the line is empty. */
	@Operation
	public String outcome() {
		while (this.over < this.turns.size()) {
			this.over++;
			this.queue.leave(RacingClient.KEY);
		}
		boolean isFree = this.queue.enter(RacingClient.KEY, (key) -> {
		});
		return this.turns + ", free " + isFree;
	}

	private boolean enters(WaitQueue.Waiter waiter) {
		boolean isFree = this.queue.enter(RacingClient.KEY, waiter);
		if (isFree) {
			waiter.onTurn(RacingClient.KEY);
		}
		return isFree;
	}

}
