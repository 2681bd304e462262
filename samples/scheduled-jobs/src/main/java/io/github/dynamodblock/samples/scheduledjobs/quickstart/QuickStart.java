/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.time.Duration;

import io.github.dynamodblock.samples.scheduledjobs.NightlyReport;
import io.github.dynamodblock.samples.support.DynamoDbLocal;
import io.github.dynamodblock.samples.support.ForegroundRun;
import io.github.dynamodblock.samples.support.RunFailedException;
import io.github.dynamodblock.samples.support.ServerProcess;

/**
 * Starts DynamoDB Local and the nodes, kills one of them, and ends with a verdict.
 */
public final class QuickStart {

	/** As in {@code application.yml}. */
	static final Duration LEASE = Duration.ofSeconds(4);

	private static final int STATUS_USAGE = 2;

	private final Options options;

	private final Screen screen = new Screen(System.out);

	private QuickStart(Options options) {
		this.options = options;
	}

	/**
	 * Runs the quick start and ends this process.
	 * @param args {@code --duration SECONDS}, {@code --nodes NUMBER},
	 * {@code --keep-running}, {@code --logs FOLDER}
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
		QuickStart quickStart = new QuickStart(options);
		return ForegroundRun.run(quickStart::run, quickStart.screen::say);
	}

	private boolean run() throws IOException, InterruptedException, RunFailedException {
		Verdict verdict = play();
		this.screen.say(verdict.line());
		return verdict.passed();
	}

	private Verdict play() throws IOException, InterruptedException, RunFailedException {
		ForegroundRun.prepareLogs(this.options.logs());
		int fewestRuns = (int) this.options.duration().toSeconds();
		Rules rules = new Rules(this.options.nodes(), LEASE, NightlyReport.TICK, NightlyReport.LOCK, fewestRuns);
		try (ServerProcess database = DynamoDbLocal.start(this.options.logs())) {
			String endpoint = database.awaitAddress();
			this.screen.say("DynamoDB Local listens at " + endpoint + "; logs are in "
					+ this.options.logs().toAbsolutePath().normalize());
			try (Nodes nodes = new Nodes(this.options.logs(), endpoint)) {
				return new Show(this.options, rules, nodes, this.screen).play();
			}
		}
	}

}
