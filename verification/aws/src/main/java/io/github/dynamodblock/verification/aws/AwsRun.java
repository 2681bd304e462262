/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.Verdict;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.core.env.PropertyResolver;

/** Checks the locks on DynamoDB in AWS or on DynamoDB Local, and prints a report. */
public final class AwsRun {

	/** The run was not possible, or was not agreed to. Nothing was created. */
	static final int STATUS_NOT_RUN = 2;

	private static final Duration DELETION = Duration.ofMinutes(3);

	/** The harness ends this process 30 s after a signal. */
	private static final Duration DELETION_AFTER_A_SIGNAL = Duration.ofSeconds(20);

	private final Options options;

	private final Demo demo;

	private final List<Check> checks;

	AwsRun(Options options, Demo demo, List<Check> checks) {
		this.options = options;
		this.demo = demo;
		this.checks = checks;
	}

	/**
	 * Runs the checks and exits this process.
	 * @param args {@code --region=REGION} or {@code --endpoint=ADDRESS}, {@code --yes},
	 * {@code --assume-role=ARN}, {@code --report=FILE}, {@code --clean-up=RUN},
	 * {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, STATUS_NOT_RUN, AwsRun::prepare);
	}

	private static DemoRunner.Script prepare(PropertyResolver commandLine) {
		Options options = Options.read(commandLine);
		return (demo) -> new AwsRun(options, demo, checks(options)).run();
	}

	private static List<Check> checks(Options options) {
		return List.of(new ContractCheck(), new LatencyCheck(), new ContentionCheck(), new TakeoverCheck(),
				new StoppedHolderCheck(), new ThrottlingCheck(), new PolicyCheck(), new TimeToLiveCheck(),
				new ProbesCheck(options.isSelfContained()));
	}

	/** Runs the checks, or deletes tables that another run has left. */
	Verdict run() throws IOException, InterruptedException, DemoFailedException {
		Target target = target();
		String host = requireReachable(target);
		String place = target.isLocal() ? target.toString() : target + " (" + host + ")";
		if (this.options.cleanUp() != null) {
			return new CleanUp(target, this::say).run(this.options.cleanUp(), this.options.yes(), System.in);
		}
		RunTables tables = new RunTables();
		Plan.of(place, tables, this.checks).forEach(this::say);
		if (!this.options.yes() && !this.options.isSelfContained()) {
			say("Go on? Type yes:");
			Consent.await(System.in, "Nothing was created, since the answer was not \"yes\"");
		}
		return run(new RunContext(target, this.demo, tables, new Meter(Meter.LIMIT), this.options.role()), place);
	}

	private Target target() throws IOException, InterruptedException, DemoFailedException {
		if (this.options.isSelfContained()) {
			return Target.local(this.demo.startDynamoDb());
		}
		return (this.options.endpoint() != null) ? Target.local(this.options.endpoint())
				: Target.aws(Objects.requireNonNull(this.options.region()));
	}

	/**
	 * Makes a first call that changes nothing.
	 * @return the host that was called: variables of the environment or a profile may
	 * name another one than that of the Region
	 */
	private static String requireReachable(Target target) throws DemoFailedException {
		if (!target.isLocal()) {
			requireCredentials();
		}
		AtomicReference<String> host = new AtomicReference<>("");
		ExecutionInterceptor hosts = new ExecutionInterceptor() {
			@Override
			public void beforeTransmission(Context.BeforeTransmission transmission, ExecutionAttributes attributes) {
				host.set(transmission.httpRequest().host());
			}
		};
		try (DynamoDbClient client = target.newClient(hosts)) {
			client.listTables((request) -> request.limit(1));
			return Objects.requireNonNull(host.get());
		}
		catch (AwsServiceException ex) {
			throw new DemoFailedException("Nothing was created: " + target + " refused ListTables: " + ex.getMessage());
		}
		catch (SdkException ex) {
			throw new DemoFailedException(
					"Nothing was created: " + target + " could not be reached. "
							+ (target.isLocal() ? "Does DynamoDB Local run there?"
									: "Does the Region exist, and is this machine online?")
							+ " The error: " + ex.getMessage());
		}
	}

	private static void requireCredentials() throws DemoFailedException {
		try (DefaultCredentialsProvider credentials = DefaultCredentialsProvider.builder().build()) {
			credentials.resolveCredentials();
		}
		catch (SdkException ex) {
			throw new DemoFailedException("Nothing was created: no AWS credentials were found in the environment, the "
					+ "profile or the instance. With IAM Identity Center (SSO), export them first: "
					+ "eval \"$(aws configure export-credentials --format env)\". The error: " + ex.getMessage());
		}
	}

	private Verdict run(RunContext context, String place) throws IOException, InterruptedException {
		Report report = new Report();
		Map<String, String> left = new TreeMap<>();
		boolean ended = false;
		try {
			for (Check check : this.checks) {
				report.add(check, outcome(check, context));
			}
			ended = true;
		}
		finally {
			left.putAll(delete(context, ended ? DELETION : DELETION_AFTER_A_SIGNAL));
		}
		Versions versions = Versions.read();
		String text = report.text(name(context.target(), versions, place), versions, context.meter(),
				context.tables().created().size(), left);
		say("");
		say(text);
		write(text);
		List<String> violations = new ArrayList<>(report.violations());
		left.forEach((name, reason) -> violations.add("Table " + name + " may still exist: " + reason));
		return new Verdict(violations,
				report.count(Outcome.Status.HELD) + " checks hold, " + report.count(Outcome.Status.NOT_PROVOKED)
						+ " not provoked, " + report.count(Outcome.Status.SKIPPED) + " skipped; "
						+ context.tables().created().size() + " tables were created and deleted");
	}

	private Outcome outcome(Check check, RunContext context) throws InterruptedException {
		long start = System.nanoTime();
		Outcome outcome;
		try {
			outcome = check.run(context);
		}
		catch (IOException | DemoFailedException | RuntimeException ex) {
			if (Thread.interrupted()) {
				// The SDK reports an interrupt as one of its exceptions.
				throw new InterruptedException();
			}
			outcome = Outcome.failed("The check ended early: " + ex);
		}
		say(check.title() + ": " + outcome.status() + ": " + outcome.summary() + " ("
				+ Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s)");
		return outcome;
	}

	private Map<String, String> delete(RunContext context, Duration atMost) {
		// A further signal must not end the deletion.
		boolean interrupted = Thread.interrupted();
		say("Deleting the tables of this run");
		Map<String, String> left;
		try (DynamoDbClient client = context.target().newClient()) {
			left = context.tables().delete(client, atMost);
		}
		if (left.isEmpty()) {
			say("Deleted " + context.tables().created().size() + " tables");
		}
		else {
			say("Not deleted yet: " + left + ". If they stay, delete them with --clean-up " + context.tables().run());
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return left;
	}

	private String name(Target target, Versions versions, String place) {
		if (this.options.isSelfContained()) {
			return "DynamoDB Local " + versions.dynamoDbLocal();
		}
		return target.isLocal() ? "DynamoDB Local, version unknown" : place;
	}

	private void write(String text) {
		Path file = this.options.report();
		if (file != null) {
			try {
				Files.writeString(file, text);
				say("The report is in " + file);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The report cannot be written to " + file, ex);
			}
		}
	}

	private void say(String line) {
		this.demo.console().say(line);
	}

}
