/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Action;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Done;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Job;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Jobs;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The actuator endpoint {@code lockedjobs}. It shows the scheduled jobs of this
 * application and the records of their runs, with one strongly consistent read per job.
 * With unrestricted access, it also pauses, resumes and runs jobs. Thread-safe.
 *
 * <pre>{@code
 * LockedJobsEndpoint endpoint = new LockedJobsEndpoint(lockedJobs, jobClock, eventPublisher);
 * }</pre>
 */
@WebEndpoint(id = "lockedjobs", defaultAccess = Access.READ_ONLY)
public class LockedJobsEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(LockedJobsEndpoint.class);

	/** Each job costs one read, and each bean of a class may have a job. */
	static final int MOST_SHOWN = 200;

	private static final int STATUS_ACCEPTED = 202;

	private static final int STATUS_CONFLICT = 409;

	private final LockedJobs jobs;

	private final JobClock clock;

	private final ApplicationEventPublisher events;

	/**
	 * Creates the endpoint.
	 * @param jobs the jobs
	 * @param clock this node's clock
	 * @param events receives an {@link AuditApplicationEvent} for each {@link Action}
	 */
	public LockedJobsEndpoint(LockedJobs jobs, JobClock clock, ApplicationEventPublisher events) {
		this.jobs = jobs;
		this.clock = clock;
		this.events = events;
	}

	/**
	 * Returns the jobs of this application, at most 200.
	 * @return the jobs
	 */
	@ReadOperation
	public Jobs jobs() {
		List<LockedJob> all = this.jobs.all();
		List<Job> shown = all.stream().limit(MOST_SHOWN).map(this::describe).toList();
		return new Jobs(shown, all.size() > shown.size());
	}

	/**
	 * Returns one job of this application.
	 * @param name its name
	 * @return the job; status 404 if this application has no such job, or its key has
	 * another value now
	 */
	@ReadOperation
	public @Nullable Job job(@Selector(match = Selector.Match.ALL_REMAINING) String[] name) {
		return find(name).map(this::describe).orElse(null);
	}

	/**
	 * Pauses or resumes a job on all nodes, or calls it on this node outside its
	 * schedule.
	 * @param name its name
	 * @param action what to do
	 * @param reason the reason, of which the record keeps 200 bytes; may be {@code null}
	 * @param security the sender of the request
	 * @return the result; status 202 if the job was called and runs, 400 for an unknown
	 * action, 404 as with {@link #job}, 409 if another call holds the job's lock or the
	 * job cannot run on this node
	 */
	@WriteOperation
	public WebEndpointResponse<Done> manage(@Selector(match = Selector.Match.ALL_REMAINING) String[] name,
			Action action, @Nullable String reason, SecurityContext security) {
		return find(name).map((job) -> manage(job, action, reason, security))
			.orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
	}

	private WebEndpointResponse<Done> manage(LockedJob job, Action action, @Nullable String reason,
			SecurityContext security) {
		try {
			switch (action) {
				case PAUSE -> job.pause((reason != null) ? reason : "");
				case RESUME -> job.resume();
				case RUN -> this.jobs.runNow(job);
			}
		}
		catch (LockNotGrantedException ex) {
			return done(job, action,
					"Job '" + job.id() + "' is busy: its lock is held by '"
							+ ex.record().map(LockRecord::ownerName).orElse("an unknown owner")
							+ "'. It was not run; try again when that run has ended",
					STATUS_CONFLICT);
		}
		catch (IllegalStateException ex) {
			return done(job, action, ex.getMessage(), STATUS_CONFLICT);
		}
		audit(job, action, reason, security.getPrincipal());
		return done(job, action, null, (action == Action.RUN) ? STATUS_ACCEPTED : WebEndpointResponse.STATUS_OK);
	}

	private static WebEndpointResponse<Done> done(LockedJob job, Action action, @Nullable String refusal, int status) {
		return new WebEndpointResponse<>(new Done(job.id(), action, job.client().ownerName(), refusal), status);
	}

	/** Logs the action on one line, whatever the request contains, and publishes it. */
	private void audit(LockedJob job, Action action, @Nullable String reason, @Nullable Principal principal) {
		String what = switch (action) {
			case PAUSE -> "paused on all nodes";
			case RESUME -> "resumed on all nodes";
			case RUN -> "called on this node, outside its schedule,";
		};
		String name = (principal != null) ? principal.getName() : "";
		logger.atLevel((action == Action.PAUSE) ? Level.WARN : Level.INFO)
			.log("{}: {} by {} through the endpoint 'lockedjobs'{}", job, what,
					name.isEmpty() ? "an unauthenticated client" : "'" + LogText.of(name) + "'",
					(reason != null) ? ": " + LogText.of(reason) : "");
		Map<String, @Nullable Object> data = (reason != null) ? Map.of("job", job.id(), "reason", reason)
				: Map.of("job", job.id());
		this.events.publishEvent(new AuditApplicationEvent(name, "DYNAMODB_LOCK_JOB_" + action, data));
	}

	private Optional<LockedJob> find(String[] name) {
		return this.jobs.find(String.join("/", name));
	}

	private Job describe(LockedJob job) {
		return Job.of(job, job.client().find(job.key()), this.clock.now());
	}

}
