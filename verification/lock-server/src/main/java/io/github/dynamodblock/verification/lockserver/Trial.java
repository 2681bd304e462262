/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.samples.support.DynamoDbLocal;
import io.github.dynamodblock.samples.support.ForegroundRun;
import io.github.dynamodblock.samples.support.RunFailedException;
import io.github.dynamodblock.samples.support.ServerProcess;

/**
 * Lets clients contend for locks through two instances of the service, one of which is
 * killed, and ends with a verdict.
 */
public final class Trial {

	private static final int STATUS_USAGE = 2;

	private final Options options;

	private final PrintStream out = System.out;

	private Trial(Options options) {
		this.options = options;
	}

	/**
	 * Runs the trial and ends this process.
	 * @param args {@code --clients NUMBER}, {@code --locks NUMBER},
	 * {@code --seconds NUMBER}, {@code --separate-tables}, {@code --logs FOLDER}
	 */
	public static void main(String[] args) {
		System.exit(run(args));
	}

	private static int run(String[] args) {
		Options options;
		try {
			options = Options.parse(args);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			return STATUS_USAGE;
		}
		Trial trial = new Trial(options);
		return ForegroundRun.run(trial::run, trial.out::println);
	}

	private boolean run() throws IOException, InterruptedException, RunFailedException {
		ForegroundRun.prepareLogs(this.options.logs());
		try (ServerProcess dynamoDb = DynamoDbLocal.start(this.options.logs())) {
			String endpoint = dynamoDb.awaitAddress();
			this.out.println("DynamoDB Local is up; logs are in " + this.options.logs().toAbsolutePath().normalize());
			try (ServerProcess first = start("instance-1", endpoint);
					ServerProcess second = start("instance-2", endpoint)) {
				return run(List.of(await(first), await(second)), second);
			}
		}
	}

	private ServerProcess start(String name, String endpoint) throws IOException {
		String table = this.options.separateTables() ? name : "lock-server";
		return InstanceProcess.start(name, this.options.logs(), endpoint, table, 0);
	}

	private Instance await(ServerProcess process) throws InterruptedException, RunFailedException {
		String address = process.awaitAddress();
		this.out.println(process.name() + " is up at " + address + " (process " + process.pid() + ")");
		return new Instance(process.name(), address);
	}

	private boolean run(List<Instance> instances, ServerProcess victim) throws InterruptedException {
		this.out.println(this.options.clients() + " clients take " + this.options.locks() + " locks in turns for "
				+ this.options.time().toSeconds() + " s, each through any of the instances"
				+ (this.options.separateTables() ? ", which have SEPARATE TABLES" : ""));
		History history = new History();
		Kill kill = new Kill(victim.name());
		Load load = new Load(instances, this.options, history, kill);
		long start = System.nanoTime();
		load.run(() -> {
			victim.kill();
			this.out.println(victim.name() + " IS KILLED: kill -9 " + victim.pid());
		});
		Duration time = Duration.ofNanos(System.nanoTime() - start);
		this.out.println("All clients have ended; what they left behind is looked at");
		load.judge();
		Summary summary = new Summary(history);
		summary.table(instances.stream().map(Instance::name).toList()).forEach(this.out::println);
		this.out.println(summary.afterKill(kill));
		this.out.println(summary.cycles(time));
		Verdict verdict = Verdict.of(history.calls(), history.failures(), this.options.isLong() ? victim.name() : null);
		this.out.println(verdict.line());
		return verdict.passed();
	}

}
