/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Problem;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Job;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Jobs;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code lockedjobs}: the scheduled jobs of this application and
 * the ledgers of their runs, by one strongly consistent read a job. Thread-safe.
 *
 * <pre>{@code
 * LockedJobsEndpoint endpoint = new LockedJobsEndpoint(jobs, JobClock.SYSTEM);
 * }</pre>
 */
@WebEndpoint(id = "lockedjobs", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ Jobs.class, Job.class, Problem.class })
public final class LockedJobsEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(LockedJobsEndpoint.class);

	/** One read each: a job with a key may have a lock for each of many tenants. */
	static final int MOST_SHOWN = 200;

	private final LockedJobs jobs;

	private final JobClock clock;

	/**
	 * An endpoint for some jobs.
	 * @param jobs the jobs
	 * @param clock this node's clock
	 */
	public LockedJobsEndpoint(LockedJobs jobs, JobClock clock) {
		this.jobs = jobs;
		this.clock = clock;
	}

	/**
	 * The jobs of this application, at most 200.
	 * @return the jobs; status 503 if the table does not answer
	 */
	@ReadOperation
	public WebEndpointResponse<?> jobs() {
		return answer(() -> {
			List<LockedJob> all = this.jobs.all();
			List<Job> shown = all.stream().limit(MOST_SHOWN).map(this::describe).toList();
			return new WebEndpointResponse<>(new Jobs(shown, all.size() > shown.size()));
		});
	}

	/**
	 * One job of this application.
	 * @param name its name
	 * @return the job; status 404 if this application has none of that name, 503 if the
	 * table does not answer
	 */
	@ReadOperation
	public WebEndpointResponse<?> job(@Selector(match = Selector.Match.ALL_REMAINING) String[] name) {
		String wanted = String.join("/", name);
		return answer(() -> this.jobs.find(wanted)
			.<WebEndpointResponse<?>>map((job) -> new WebEndpointResponse<>(describe(job)))
			.orElseGet(() -> new WebEndpointResponse<>(
					new Problem("This application has no job '" + wanted + "', or has not run it yet"),
					WebEndpointResponse.STATUS_NOT_FOUND)));
	}

	private Job describe(LockedJob job) {
		return Job.of(job, job.client().find(job.key()), this.clock);
	}

	private static WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> question) {
		try {
			return question.get();
		}
		catch (LockTableException ex) {
			return unavailable(ex, "Table '" + ex.tableName() + "' cannot be used ("
					+ ex.problem().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")");
		}
		catch (LockException ex) {
			return unavailable(ex, "DynamoDB did not carry out the call");
		}
	}

	/** The messages of AWS name roles and accounts, and stay in the log. */
	private static WebEndpointResponse<?> unavailable(LockException ex, String problem) {
		logger.warn("The endpoint 'lockedjobs' failed: {}", ex.getMessage());
		logger.debug("The endpoint 'lockedjobs' failed", ex);
		return new WebEndpointResponse<>(new Problem(problem + ". The log of this node has the cause"),
				WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
	}

}
