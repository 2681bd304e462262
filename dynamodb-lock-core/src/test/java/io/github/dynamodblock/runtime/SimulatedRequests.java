/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a simulated caller asks for.
 */
final class SimulatedRequests {

	/** The attribute of the tick that the lock was last acquired for. */
	static final String TICK = "tick";

	private final Scenario scenario;

	private final String process;

	private final Chance chance;

	/** What jobs run for now; all clients agree on it. */
	private final LongSupplier tick;

	SimulatedRequests(Scenario scenario, String process, Chance chance, LongSupplier tick) {
		this.scenario = scenario;
		this.process = process;
		this.chance = chance;
		this.tick = tick;
	}

	LockRequest acquisition(LockRequest wanted) {
		LockRequest request = wanted;
		if (this.chance.in(0.8)) {
			request = request.waitTime(this.chance.millis(50, 4000));
		}
		if (this.scenario.hurried() && this.chance.in(0.8)) {
			// Like the others, so that a lock can be handed on.
			return request;
		}
		if (this.chance.in(0.3)) {
			request = request.leaseDuration(lease()).heartbeatPeriod(Duration.ofMillis(250));
		}
		if (this.chance.in(0.1)) {
			request = request.automaticRenewal(false);
		}
		else if (this.chance.in(0.1)) {
			request = request.holdAtLeast(this.chance.millis(10, 2000));
		}
		else if (this.chance.in(0.1)) {
			request = request.holdAtMost(this.chance.millis(100, 2000));
		}
		if (this.chance.in(0.1)) {
			request = request.pollInterval(this.chance.millis(20, 300));
		}
		if (this.chance.in(0.1)) {
			request = request.onlyIfItemExists(true);
		}
		request = request.awaitSilentOwner(this.chance.in(0.3));
		if (this.chance.in(0.2)) {
			request = request.change(change());
		}
		if (this.scenario.keepsItems()) {
			request = keeping(request);
		}
		if (this.chance.in(0.3)) {
			request = oncePerTick(request);
		}
		request = request.releaseOnClose(this.chance.in(0.9));
		if (this.scenario.deletesOnRelease()) {
			// An item that one client keeps, others try to delete.
			request = request.deleteOnRelease(this.chance.in(0.3));
		}
		return request;
	}

	/**
	 * Keeps some items, a few of them with a change that is made once, and undone if no
	 * caller gets the lock.
	 */
	private LockRequest keeping(LockRequest request) {
		boolean limited = request.holdAtMost().isPresent();
		KeptItem kept = limited ? KeptItem.create().changeAtLimit(change()) : KeptItem.create();
		if (this.chance.in(0.2)) {
			ItemChange change = noted().copy("note", "before", AttributeValue.fromS("nothing"));
			return request.change(change).keptItem(kept.undo(ItemChange.none().removeAttributes("note", "before")));
		}
		return (limited || this.chance.in(0.1)) ? request.keptItem(kept) : request;
	}

	/** With a condition that the claim itself makes false. */
	private LockRequest oncePerTick(LockRequest request) {
		AttributeValue tick = AttributeValue.fromN(Long.toString(this.tick.getAsLong()));
		ItemChange change = ItemChange.none().attribute(TICK, tick);
		return request.change(change).condition(ItemCondition.notExists(TICK).or(ItemCondition.lessThan(TICK, tick)));
	}

	Duration lease() {
		return Duration.ofMillis(this.chance.of(Scenario.LEASES));
	}

	ItemChange noted() {
		return ItemChange.none().attribute("note", AttributeValue.fromS(this.process + " was here"));
	}

	ItemChange change() {
		AttributeValue value = AttributeValue.fromS(this.process + " was here");
		return switch (this.chance.between(0, 3)) {
			case 0 -> noted();
			case 1 -> ItemChange.none().attribute(this.process, value).removeAttributes("note");
			case 2 -> ItemChange.none().attribute("note", value).removeAttributes(this.process);
			default -> ItemChange.none().data(new byte[] { 1 });
		};
	}

}
