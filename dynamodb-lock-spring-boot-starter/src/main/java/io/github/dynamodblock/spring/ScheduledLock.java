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
 * A tick of a cron expression is its nominal fire time. It starts at most once for each
 * attempt, however the clocks of the nodes differ. Rates and delays are those of the
 * cluster, by the wall clocks of the nodes. If the node that runs a tick crashes, another
 * one runs it again ({@link #attempts()}). The lock's item has a record of the runs.
 *
 * <p>
 * Calls that Spring's scheduler does not make, and methods without
 * {@link org.springframework.scheduling.annotation.Scheduled}, have a plain lock, and are
 * skipped if it is held.
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
	 * How long a run may take, see {@link DistributedLock#holdAtMost()}. When the limit
	 * is reached, the lock is released and the run is recorded as timed out: it is not
	 * run again, but the next one may start although the body goes on.
	 * @return the time; by default that of the client, which has none by default
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
	 * How often a tick is run at most, the first run included, when nodes crash or are
	 * shut down while they run it. With 1, no tick is run again.
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
	 * The name of the {@link io.github.dynamodblock.LockClient} bean that takes the lock,
	 * see {@link DistributedLock#lockClient()}.
	 * @return the bean's name
	 */
	@AliasFor(annotation = DistributedLock.class)
	String lockClient() default "";

}
