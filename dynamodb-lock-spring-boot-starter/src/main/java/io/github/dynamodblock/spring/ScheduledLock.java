/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs each tick of a scheduled job on one node, under a {@link DistributedLock}. Every
 * node schedules the job; one runs the tick, and the others skip it.
 *
 * <pre class="code"> &#64;Scheduled(cron = "0 0 2 * * *") &#64;ScheduledLock(name =
 * "nightly-report") void nightlyReport() { ... } </pre>
 *
 * <p>
 * With a cron expression, each nominal fire time is a tick. It starts at most once per
 * attempt, even if the nodes' clocks differ. Fixed rates and delays apply to the whole
 * cluster, and depend on the nodes' wall clocks. If the node that runs a tick crashes,
 * another node reruns it ({@link #attempts()}). The lock's item records the runs.
 *
 * <p>
 * Other schedulers call the method in
 * {@link io.github.dynamodblock.spring.job.LockedJobs#tick LockedJobs.tick}, without
 * {@link org.springframework.scheduling.annotation.Scheduled}. All other calls acquire a
 * plain lock, which belongs to no tick. They are skipped if the lock is held.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@DistributedLock(onBusy = OnBusy.SKIP, awaitSilentOwner = true)
public @interface ScheduledLock {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String value() default "";

	/**
	 * Name of the lock, see {@link DistributedLock#name()}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * SpEL expression that selects the lock, see {@link DistributedLock#key()}. Use it
	 * for a job that runs once for each tenant or region.
	 * @return the expression
	 */
	@AliasFor(annotation = DistributedLock.class)
	String key() default "";

	/**
	 * Maximum duration of a run, see {@link DistributedLock#holdAtMost()}. After that
	 * time, the lock is released and the run is recorded as timed out. It is not rerun,
	 * and the next run may start while the body is still running.
	 * @return the time; by default the client's limit, if it has one
	 */
	@AliasFor(annotation = DistributedLock.class)
	String holdAtMost() default "";

	/**
	 * How long the lock outlives its last heartbeat if this process dies, see
	 * {@link DistributedLock#leaseDuration()}. It does not limit how long the job may
	 * run.
	 * @return the lease
	 */
	@AliasFor(annotation = DistributedLock.class)
	String leaseDuration() default "";

	/**
	 * How often a tick may run in total if its nodes crash. An attempt that a shutdown
	 * interrupts does not count. With 1, no tick is rerun.
	 * @return the number, at least 1
	 */
	int attempts() default 3;

	/**
	 * What happens when ticks of a cron expression were missed.
	 * @return what to do
	 */
	OnMissed onMissed() default OnMissed.SKIP;

	/**
	 * What happens to the running job when its lock is lost.
	 * @return what to do
	 */
	@AliasFor(annotation = DistributedLock.class)
	OnLost onLost() default OnLost.REPORT;

	/**
	 * Name of the {@link io.github.dynamodblock.LockClient} bean that acquires the lock,
	 * see {@link DistributedLock#lockClient()}.
	 * @return the bean's name
	 */
	@AliasFor(annotation = DistributedLock.class)
	String lockClient() default "";

}
