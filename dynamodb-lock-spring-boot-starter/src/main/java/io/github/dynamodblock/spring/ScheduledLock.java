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
 * A {@link DistributedLock} for a scheduled job: every node schedules it, one runs each
 * tick, and the others skip it.
 *
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *")
 * &#64;ScheduledLock(name = "nightly-report")
 * void nightlyReport() { ... }
 * </pre>
 *
 * <p>
 * Each tick starts at most once, however the clocks of the nodes differ: a tick of a cron
 * expression is its nominal fire time, and rate and delay are those of the cluster. If
 * the node that runs a tick crashes, another one runs it again ({@link #onCrash()}). The
 * lock's item keeps a ledger of the runs. Calls that Spring's scheduler does not make,
 * and methods without {@link org.springframework.scheduling.annotation.Scheduled}, have a
 * plain lock.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@DistributedLock(onBusy = OnBusy.SKIP)
public @interface ScheduledLock {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String value() default "";

	/**
	 * The name of the lock, see {@link DistributedLock#name()}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * What is locked under the name, see {@link DistributedLock#key()}: for jobs of which
	 * there is one for each tenant or region.
	 * @return the expression
	 */
	@AliasFor(annotation = DistributedLock.class)
	String key() default "";

	/**
	 * How long the lock stays held, counted from its acquisition, even if the job ends
	 * earlier, see {@link DistributedLock#holdAtLeast()}. Ticks do not need it.
	 * @return the time; none by default
	 */
	@AliasFor(annotation = DistributedLock.class)
	String holdAtLeast() default "";

	/**
	 * How long the lock is held at most, however long the job runs, see
	 * {@link DistributedLock#holdAtMost()}: for a job that may hang.
	 * @return the time; no limit by default
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
	 * How long to wait before the job is skipped, see {@link DistributedLock#waitTime()}.
	 * @return the time; no wait by default
	 */
	@AliasFor(annotation = DistributedLock.class)
	String waitTime() default "";

	/**
	 * What happens to a run whose node has crashed.
	 * @return what to do
	 */
	OnCrash onCrash() default OnCrash.RERUN;

	/**
	 * How often a tick is run at most, the first run included, when nodes that run it
	 * crash.
	 * @return the number, at least 1
	 */
	int attempts() default 3;

	/**
	 * What happens when ticks of a cron expression were missed.
	 * @return what to do
	 */
	OnMissed onMissed() default OnMissed.SKIP;

	/**
	 * Whether a call waits for up to one lease for an owner that seems to have crashed,
	 * see {@link DistributedLock#awaitSilentOwner()}. For calls that the scheduler does
	 * not make, and for ticks with {@link OnCrash#NEXT_TICK}.
	 * @return whether it does
	 */
	@AliasFor(annotation = DistributedLock.class)
	boolean awaitSilentOwner() default true;

	/**
	 * What happens to the running job when its lock is lost.
	 * @return what to do
	 */
	@AliasFor(annotation = DistributedLock.class)
	OnLost onLost() default OnLost.REPORT;

	/**
	 * The name of the {@link io.github.dynamodblock.LockClient} bean that takes the lock,
	 * see {@link DistributedLock#lockClient()}.
	 * @return the bean's name
	 */
	@AliasFor(annotation = DistributedLock.class)
	String lockClient() default "";

}
