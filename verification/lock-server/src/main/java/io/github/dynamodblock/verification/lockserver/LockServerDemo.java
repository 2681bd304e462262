/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.server.LockServerApplication;

import org.springframework.core.env.PropertyResolver;

/**
 * Lets clients contend for locks through two instances of the lock server, one of which
 * is killed.
 */
public final class LockServerDemo {

	private final Options options;

	private final Demo demo;

	private LockServerDemo(Options options, Demo demo) {
		this.options = options;
		this.demo = demo;
	}

	/**
	 * Runs the demo and exits this process.
	 * @param args {@code --clients=NUMBER}, {@code --locks=NUMBER},
	 * {@code --seconds=NUMBER}, {@code --separate-tables}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, LockServerDemo::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver commandLine) {
		Options options = Options.read(commandLine);
		return (demo) -> new LockServerDemo(options, demo).run();
	}

	/**
	 * Starts an instance that every process of this machine may use.
	 * @param demo the demo
	 * @param name the instance's name
	 * @param table the table of its locks
	 * @param port where it listens, with health and metrics at the next port; 0 for any
	 * free ports
	 * @return the process, which is not up yet
	 * @throws IOException if the process cannot be started
	 */
	static NodeProcess start(Demo demo, String name, String table, int port) throws IOException {
		return demo.startNode(name, "192m", List.of(LockServerApplication.class), "--server.port=" + port,
				"--management.server.port=" + ((port != 0) ? port + 1 : 0), "--management.server.address=127.0.0.1",
				"--authentication.disabled=true", "--dynamodb-lock.table.name=" + table);
	}

	private Verdict run() throws IOException, InterruptedException, DemoFailedException {
		this.demo.startDynamoDb();
		NodeProcess first = start("instance-1");
		NodeProcess second = start("instance-2");
		List<Instance> instances = List.of(await(first), await(second));
		say(this.options.clients() + " clients take " + this.options.locks() + " locks in turns for "
				+ this.options.time().toSeconds() + " s, each through any of the instances"
				+ (this.options.separateTables() ? ", which have SEPARATE TABLES" : ""));
		History history = new History();
		Kill kill = new Kill(second.name());
		Load load = new Load(instances, this.options, history, kill);
		long start = System.nanoTime();
		load.run(() -> {
			second.kill();
			say(second.name() + " IS KILLED: kill -9 " + second.pid());
		});
		Duration time = Duration.ofNanos(System.nanoTime() - start);
		say("All clients have ended; now the locks that they left are read");
		load.readLocks();
		Summary summary = new Summary(history);
		summary.table(instances.stream().map(Instance::name).toList()).forEach(this::say);
		say(summary.afterKill(kill));
		say(summary.cycles(time));
		return LockChecker.check(history.calls(), history.failures(), this.options.isLong() ? second.name() : null);
	}

	private NodeProcess start(String name) throws IOException {
		return start(this.demo, name, this.options.separateTables() ? name : "lock-server", 0);
	}

	private Instance await(NodeProcess process) throws InterruptedException, DemoFailedException {
		String address = process.awaitReady();
		say(process.name() + " is up at " + address + " (process " + process.pid() + ")");
		return new Instance(process.name(), address);
	}

	private void say(String line) {
		this.demo.console().say(line);
	}

}
