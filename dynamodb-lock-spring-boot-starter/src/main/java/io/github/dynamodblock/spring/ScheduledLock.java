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
 * A {@link DistributedLock} for a scheduled job: every node starts it, one runs it, and
 * the others skip it.
 *
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 2 * * *")
 * &#64;ScheduledLock(name = "nightly-report", holdAtLeast = "1m")
 * void nightlyReport() { ... }
 * </pre>
 *
 * <p>
 * Set {@link #holdAtLeast()} for a job that is started by cron: every node starts it by
 * its own clock, and the lock is released when the job ends, so that a node whose clock
 * is behind would run a short job again. A WARN at startup names the methods that do not
 * set it.
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
	 * earlier, see {@link DistributedLock#holdAtLeast()}: longer than the clocks of the
	 * nodes can differ, and shorter than the time between two runs, such as
	 * {@code "30s"}.
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
	 * Whether the job runs one lease late, instead of being skipped, when the node that
	 * ran it last has crashed in the middle of it; see
	 * {@link DistributedLock#awaitSilentOwner()}. Its thread waits for that time.
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
