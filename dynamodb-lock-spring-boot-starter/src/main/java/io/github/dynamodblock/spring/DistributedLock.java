/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a Spring bean under a lock. Across all nodes that share the lock
 * table, only one call at a time runs under the same lock, or as many as {@link #permits}
 * allows.
 *
 * <pre class="code"> &#64;DistributedLock(name = "orders", key = "#order.id", waitTime =
 * "5s") void fulfil(Order order) { ... }
 *
 * &#64;Scheduled(cron = "0 0 2 * * *") &#64;ScheduledLock(name = "nightly-report") void
 * nightlyReport() { ... } </pre>
 *
 * <p>
 * The lock is acquired before the method runs, renewed by heartbeats meanwhile, and
 * released when the work ends. If the method returns a
 * {@link java.util.concurrent.CompletableFuture}, {@code Mono} or {@code Flux}, or is a
 * Kotlin suspend function, the work ends when that completes, fails or is cancelled. By
 * default, the lock is acquired outside the method's transaction, and therefore released
 * after the commit. A nested call for the same lock, in the same thread or Reactor
 * context, joins the held lock. Inside the method, {@link LockContext} returns the lock.
 *
 * <p>
 * If the method runs, the caller gets its result or exception, unless {@link #onLost()}
 * specifies otherwise. If the thread is interrupted while it waits for the lock, the call
 * throws {@link InterruptedException} if the method declares it. Otherwise, it throws
 * {@link LockWaitInterruptedException}, with the thread's interrupt flag set.
 *
 * <p>
 * On a class or an interface, the annotation applies to every public method of the bean.
 * On a method, it replaces the annotation of the class. It can be a meta-annotation, as
 * in {@link ScheduledLock}. Calls through {@code this} bypass the proxy and the lock.
 * Methods that the container calls to initialize or destroy the bean cannot be locked,
 * and fail startup.
 *
 * <p>
 * An invalid annotation is reported as {@link InvalidDistributedLockException} at
 * startup, or when the bean is created later. Spring Integration also has a type named
 * {@code DistributedLock}; check the import.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface DistributedLock {

	/**
	 * Alias for {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Name of the lock, without a colon. <code>${...}</code> placeholders are replaced.
	 * <code>#{...}</code> is refused; use {@link #key()} for expressions. The default is
	 * the simple name of the bean's class, a dot and the method's name, such as
	 * {@code OrderService.fulfil}. Set a name for anything that matters: after a
	 * renaming, old and new nodes do not exclude each other during a rolling update.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * SpEL expression that selects the lock. If omitted, the name is a single lock. The
	 * expression is evaluated once, before the method runs. Its value must be a string, a
	 * number, an enum constant, a UUID or another simple value, and neither {@code null}
	 * nor blank. If it is a collection or an array, the call locks all elements, in the
	 * same order on every node. If it does not get one of the locks, it holds none. At
	 * most 100 elements are allowed ({@code dynamodb-lock.advice.max-locks-per-call}).
	 * <ul>
	 * <li>{@code #order.id}: a parameter by name, which needs {@code -parameters} at
	 * compilation;</li>
	 * <li>{@code #p0} or {@code #a0}: a parameter by position;</li>
	 * <li>{@code #root.args}, {@code #root.method}, {@code #root.methodName},
	 * {@code #root.target}, {@code #root.targetClass}: the call;</li>
	 * <li>{@code @tenants.current()}: a bean;</li>
	 * <li>{@code #orders.![id]}: a property of each element of a collection.</li>
	 * </ul>
	 * @return the expression
	 */
	String key() default "";

	/**
	 * How many calls may hold the lock at the same time, on all nodes together; a whole
	 * number from 1 to 100. <code>${...}</code> placeholders are replaced. With more than
	 * one, the lock is a semaphore: it has one slot for each permit, and each call holds
	 * one slot. A waiting call gets the first slot that becomes free. All methods of one
	 * name, on all nodes, must have the same number: calls with different numbers do not
	 * exclude each other. Startup fails if two methods of one application differ. Nodes
	 * are not compared, so stop all calls before you change from one permit to several,
	 * or back.
	 * @return the number; one by default
	 * @see io.github.dynamodblock.LockRequest#permits
	 */
	String permits() default "1";

	/**
	 * How long to wait while the lock is held, such as {@code "500ms"}, {@code "5s"} or
	 * {@code "PT5S"}; <code>${...}</code> placeholders are replaced. The default is the
	 * lock client's wait time ({@code dynamodb-lock.wait-time}), or no wait with
	 * {@link OnBusy#SKIP}. If a call has several locks, this is the total time.
	 * @return the time
	 */
	String waitTime() default "";

	/**
	 * How long the lock outlives its last heartbeat if this process dies, in the format
	 * of {@link #waitTime()}. It does not limit how long the method may run. The default
	 * is the lock client's lease ({@code dynamodb-lock.lease-duration}).
	 * @return the lease
	 */
	String leaseDuration() default "";

	/**
	 * Minimum time that the lock stays held, counted from its acquisition, even if the
	 * method returns earlier; in the format of {@link #waitTime()}. The caller does not
	 * wait for it. A scheduled job with {@link OnBusy#SKIP} instead of
	 * {@link ScheduledLock} needs it. Choose more than the nodes' clocks can differ, and
	 * less than the time between two runs.
	 * @return the time; none by default
	 */
	String holdAtLeast() default "";

	/**
	 * Maximum time that the lock is held, counted from its acquisition, however long the
	 * method runs; in the format of {@link #waitTime()}. Use it for methods that may
	 * hang. After that time, the lock is lost
	 * ({@link io.github.dynamodblock.LossReason#HELD_TOO_LONG}), {@link #onLost()}
	 * decides what happens to the running method, and other nodes can acquire the lock
	 * within one lease. ShedLock calls this limit {@code lockAtMostFor}. The default is
	 * the lock client's limit ({@code dynamodb-lock.hold-at-most}).
	 * @return the time
	 */
	String holdAtMost() default "";

	/**
	 * Whether a call waits beyond its wait time, for up to one lease, if the owner of the
	 * lock seems to have crashed: by the wall clocks, it has not renewed the lock for
	 * longer than its lease. The call then takes the lock over. If the owner renews or
	 * releases the lock after all, the call is refused at once. The call does not wait if
	 * the takeover would take longer than this lock's lease. If a call has several locks,
	 * it waits for up to one lease for each. If {@code false}, a call without a wait time
	 * is refused. The node takes the lock over with its first call that comes at least
	 * one lease after the refused one.
	 * @return whether it waits; {@code true} for {@link ScheduledLock}
	 * @see io.github.dynamodblock.LockRequest#awaitSilentOwner
	 */
	boolean awaitSilentOwner() default false;

	/**
	 * What a call does if the lock is not granted within the wait time.
	 * @return what to do
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * Name of the method that is called instead of this one with {@link OnBusy#FALLBACK},
	 * without the lock. It is a method of the bean's class, which may be private. If the
	 * bean is a proxy, such as a repository, it is a method of the bean's interface. It
	 * takes the same parameters, optionally followed by the
	 * {@link io.github.dynamodblock.LockNotGrantedException}.
	 * @return the name
	 */
	String fallback() default "";

	/**
	 * What happens to the running method when its lock is lost.
	 * @return what to do
	 */
	OnLost onLost() default OnLost.REPORT;

	/**
	 * Name of the {@link io.github.dynamodblock.LockClient} bean that acquires the lock,
	 * if there are several; <code>${...}</code> placeholders are replaced. The default is
	 * the only client or the primary one.
	 * @return the bean's name
	 */
	String lockClient() default "";

}
