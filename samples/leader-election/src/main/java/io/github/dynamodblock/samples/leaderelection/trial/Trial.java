/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.samples.support.DynamoDbLocal;
import io.github.dynamodblock.samples.support.ForegroundRun;
import io.github.dynamodblock.samples.support.RunFailedException;
import io.github.dynamodblock.samples.support.ServerProcess;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Starts DynamoDB Local and three nodes, disturbs their leaders, and ends with a verdict.
 */
public final class Trial {

	/** As in {@code application.yml}. */
	static final String TABLE = "leader-election-locks";

	/** As in {@code application.yml}. */
	static final String ROLE = "bookkeeper";

	private static final String KEY_PREFIX = "registry:";

	private static final int STATUS_USAGE = 2;

	private static final int STATUS_NO_RESULT = 3;

	private final Options options;

	private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

	private final Timeline timeline = new Timeline(System.out);

	private Trial(Options options) {
		this.options = options;
	}

	/**
	 * Runs the trial and ends this process: with status 0 if there were never two leaders
	 * at a time, 1 if there were, 2 for wrong usage, 3 if the run came to no result, 130
	 * if it was interrupted.
	 * @param args {@code --separate-locks}, {@code --logs FOLDER}
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
		return ForegroundRun.run(trial::run, STATUS_NO_RESULT, trial.timeline::say);
	}

	private boolean run() throws IOException, InterruptedException, RunFailedException {
		ForegroundRun.prepareLogs(this.options.logs());
		try (ServerProcess dynamoDb = DynamoDbLocal.start(this.options.logs())) {
			String endpoint = dynamoDb.awaitAddress();
			this.timeline.say("DynamoDB Local listens at " + endpoint + "; logs are in "
					+ this.options.logs().toAbsolutePath().normalize());
			return run(endpoint);
		}
	}

	private boolean run(String endpoint) throws IOException, InterruptedException, RunFailedException {
		try (Ledger ledger = Ledger.open((entry) -> this.news.add(new News.Written(entry)));
				Nodes nodes = new Nodes(this.options.logs(), arguments(endpoint, ledger), this.news::add)) {
			Scenario scenario = new Scenario(nodes, this.news, this.timeline);
			try {
				this.timeline.heading();
				startNodes(nodes);
				play(scenario);
				requireFreeLocks(endpoint);
			}
			catch (RunFailedException | IOException ex) {
				// That there were two leaders is worse news.
				if (Verdict.of(ledger.entries()).passed()) {
					throw ex;
				}
				this.timeline.say("The run ended early: " + ex.getMessage());
			}
			this.timeline.showReigns(Reign.of(ledger.entries()), scenario.ends());
			Verdict verdict = Verdict.of(ledger.entries());
			this.timeline.say(verdict.line());
			return verdict.passed();
		}
	}

	private static List<String> arguments(String endpoint, Ledger ledger) {
		return List.of("--trial.node=true", "--ledger.port=" + ledger.port(),
				"--dynamodb-lock.dynamodb.endpoint=" + endpoint, "--dynamodb-lock.dynamodb.region=local");
	}

	private void startNodes(Nodes nodes) throws IOException {
		for (String node : Scenario.NODES) {
			nodes.start(node, List.of("--dynamodb-lock.registry.key-prefix=" + keyPrefix(node)));
		}
	}

	private String keyPrefix(String node) {
		return this.options.separateLocks() ? KEY_PREFIX + node + ":" : KEY_PREFIX;
	}

	private void play(Scenario scenario) throws IOException, InterruptedException, RunFailedException {
		if (this.options.separateLocks()) {
			scenario.playWithoutElection();
		}
		else {
			scenario.play();
		}
	}

	/** Whoever stopped in order has given the lock back. */
	private void requireFreeLocks(String endpoint) throws RunFailedException {
		List<String> held = new ArrayList<>();
		try (DynamoDbClient dynamoDb = DynamoDbLocal.client(endpoint);
				LockClient client = LockClient.builder(dynamoDb).tableName(TABLE).build()) {
			for (String node : Scenario.NODES) {
				Optional<LockRecord> lock = client.find(keyPrefix(node) + ROLE);
				lock.filter((record) -> !record.isReleased()).ifPresent((record) -> held.add(record.toString()));
			}
		}
		if (!held.isEmpty()) {
			throw new RunFailedException("all nodes have ended, but the lock is not free: " + held);
		}
		this.timeline.say("The lock is free");
	}

}
