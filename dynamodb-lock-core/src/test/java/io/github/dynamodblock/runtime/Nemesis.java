/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;

/**
 * Whatever disturbs clients and table, other than the fates of single calls.
 */
final class Nemesis {

	private final Simulation simulation;

	private final VirtualTime time;

	private final SimulatedTable table;

	private final @Nullable SimulatedRegions regions;

	private final Chance chance;

	Nemesis(Simulation simulation, VirtualTime time, SimulatedTable table, @Nullable SimulatedRegions regions,
			Chance chance) {
		this.simulation = simulation;
		this.time = time;
		this.table = table;
		this.regions = regions;
		this.chance = chance;
	}

	void begin() {
		Duration mean = this.simulation.scenario().disturbances();
		if (!mean.isZero()) {
			this.time.at((long) (2 * mean.toNanos() * this.chance.fraction()), () -> {
				if (!this.simulation.isSettling()) {
					disturb();
					begin();
				}
			});
		}
	}

	private void disturb() {
		if (this.simulation.clients().isEmpty()) {
			return;
		}
		SimulatedClient client = this.chance.of(this.simulation.clients());
		LockKey key = this.simulation.key(this.chance);
		if (this.regions == null) {
			this.table.expire(key, this.time.wallClock());
		}
		if (this.simulation.scenario().kind() == Scenario.Kind.ADMINISTRATORS && this.chance.in(0.4)) {
			administer(key);
			return;
		}
		switch (this.chance.between(0, 9)) {
			case 0, 1, 2 -> pause(client);
			case 3, 4 -> cutOff(client);
			case 5 -> crash(client);
			case 6 -> close(client);
			case 7 -> stepWallClock(client);
			case 8 -> {
				if (this.regions == null) {
					expireReleased(key);
				}
				else {
					leave(this.regions);
				}
			}
			default -> cutOffAll();
		}
	}

	/** Shorter than any lease, or as long as several. */
	private long span() {
		return this.chance.in(0.5) ? this.chance.nanos(10, 600) : this.chance.nanos(600, 5000);
	}

	private void pause(SimulatedClient client) {
		SimulatedProcess process = client.process();
		if (!process.isPaused()) {
			boolean sleeps = this.chance.in(0.3);
			note(client, sleeps ? "falls asleep" : "is paused");
			process.pause();
			this.time.at(span(), () -> {
				note(client, "is continued");
				process.resume(sleeps);
			});
		}
	}

	private void cutOff(SimulatedClient client) {
		if (!client.process().isCutOff()) {
			note(client, "is cut off");
			client.process().cutOff(true);
			this.time.at(span(), () -> {
				note(client, "is connected again");
				client.process().cutOff(false);
			});
		}
	}

	private void cutOffAll() {
		List.copyOf(this.simulation.clients()).forEach(this::cutOff);
	}

	/** A region loses the others, for a while or until the end of the faults. */
	private void leave(SimulatedRegions regions) {
		int region = this.chance.between(0, SimulatedRegions.REGIONS - 1);
		if (!regions.hasLeft(region)) {
			note("nemesis", "lets region " + region + " leave");
			regions.leave(region);
			leave(region, true);
			this.time.at(this.chance.in(0.2) ? Scenario.FAULTS.toNanos() : span(), () -> {
				note("nemesis", "lets region " + region + " return");
				regions.comesBack(region);
				leave(region, false);
			});
		}
	}

	private void leave(int region, boolean left) {
		this.simulation.clients()
			.stream()
			.map(SimulatedClient::process)
			.filter((process) -> SimulatedRegions.of(process) == region)
			.forEach((process) -> process.leave(left));
	}

	private void crash(SimulatedClient client) {
		boolean restarts = !client.isClosing();
		note(client, "crashes");
		client.process().crash();
		this.simulation.clients().remove(client);
		if (restarts) {
			this.time.at(span(), () -> this.simulation.restart(client));
		}
	}

	private void close(SimulatedClient client) {
		if (!client.isClosing()) {
			boolean releases = this.chance.in(0.7);
			client.process().handle(() -> {
				note(client, releases ? "closes" : "closes without releasing");
				client.close(releases);
			});
			this.time.at(span(), () -> this.simulation.restart(client));
		}
	}

	private void stepWallClock(SimulatedClient client) {
		if (this.simulation.scenario().clockSkewBound() == null) {
			Duration step = Duration.ofSeconds(this.chance.between(-7200, 7200));
			note(client, "has its wall clock stepped by " + step);
			client.process().clocks().stepWallClock(step);
		}
		else {
			Duration error = this.simulation.scenario().wallClockError(this.chance);
			note(client, "has its wall clock set to an error of " + error);
			client.process().clocks().setWallClock(error);
		}
	}

	/** As time to live does days after the release. */
	private void expireReleased(LockKey key) {
		LockRecord lock = this.table.lock(key);
		if (lock != null && lock.isReleased()) {
			note("nemesis", "lets the released lock expire: " + key);
			this.table.delete(key);
		}
	}

	private void administer(LockKey key) {
		LockRecord lock = this.table.lock(key);
		switch (this.chance.between(0, 3)) {
			case 0 -> {
				note("nemesis", "deletes the table");
				this.table.dropTable();
				this.time.at(span(), this.table::createTable);
			}
			case 1 -> {
				note("nemesis", "deletes " + key);
				this.table.delete(key);
			}
			default -> {
				if (lock != null) {
					this.simulation.forceRelease(lock, this.chance);
				}
			}
		}
	}

	private void note(Object who, String what) {
		this.simulation.history().add(who, what);
	}

}
