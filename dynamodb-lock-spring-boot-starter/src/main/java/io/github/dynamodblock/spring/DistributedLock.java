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
 * Runs a method of a Spring bean while it holds a lock, so that at most one thread of all
 * nodes which share the lock table runs it, or anything else under the same lock, at a
 * time.
 *
 * <pre class="code">
 * &#64;DistributedLock(name = "orders", key = "#order.id", waitTime = "5s")
 * void fulfil(Order order) { ... }
 *
 * &#64;Scheduled(cron = "0 0 2 * * *")
 * &#64;ScheduledLock(name = "nightly-report")
 * void nightlyReport() { ... }
 * </pre>
 *
 * <p>
 * The lock is taken before the method begins, kept by heartbeats while it runs, and
 * released when its work has ended: when it returned or threw, or when the
 * {@link java.util.concurrent.CompletableFuture}, {@code Mono} or {@code Flux} that it
 * returned or the Kotlin suspend function that it is has completed, failed or been
 * cancelled. By default it is taken outside of a transaction of the same method, so that
 * it is released after the commit. A nested call for the same lock in the same thread, or
 * in the same Reactor context, joins the lock that is held there. {@link LockContext} has
 * the lock inside the method.
 *
 * <p>
 * The method's result or exception is always what the caller gets, unless
 * {@link #onLost()} says otherwise. If the thread is interrupted while it waits for the
 * lock, a method that declares {@link InterruptedException} throws it, and any other
 * throws {@link LockWaitInterruptedException}, with the thread's interrupt flag set.
 *
 * <p>
 * On a class or an interface it applies to every public method of the bean; on a method
 * it replaces the one of the class. It can be a meta-annotation, as in
 * {@link ScheduledLock}. A call of the bean's own method through {@code this} bypasses
 * the proxy, and with it the lock. Methods by which the container initializes or destroys
 * the bean cannot be locked, and fail startup.
 *
 * <p>
 * What can be wrong here is found when the application starts, or when a bean is created
 * later, and reported as {@link InvalidDistributedLockException}. Spring Integration has
 * an interface of the same simple name, {@code DistributedLock}: mind the import.
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
	 * The name of the lock, without a colon. Literal text; <code>${...}</code> is
	 * replaced, and <code>#{...}</code> refused: {@link #key()} takes expressions. The
	 * default is the simple name of the bean's class, a dot and the method's name, such
	 * as {@code OrderService.fulfil}: it moves with a refactoring, and during a rolling
	 * update old and new nodes would then not exclude each other, so give a name to what
	 * matters.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * What is locked under the name, as an expression in Spring's expression language.
	 * Without it there is one lock of the name; with it, one for each value. It is
	 * evaluated once, before the method is run, and must give a text, a number, an enum
	 * constant, a UUID or another simple value, not {@code null} and not blank. Of a
	 * collection or an array, every element is locked, all or none, in one order
	 * everywhere; at most 100 ({@code dynamodb-lock.advice.max-locks-per-call}).
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
	 * How long to wait while others hold the lock, such as {@code "500ms"}, {@code "5s"}
	 * or {@code "PT5S"}; <code>${...}</code> is replaced. The default is the lock
	 * client's ({@code dynamodb-lock.wait-time}), and no wait with {@link OnBusy#SKIP}.
	 * Of several locks, it is the time for all of them together.
	 * @return the time
	 */
	String waitTime() default "";

	/**
	 * How long the lock outlives its last heartbeat if this process dies; a text like
	 * that of {@link #waitTime()}. It does not limit how long the method may run. The
	 * default is the lock client's ({@code dynamodb-lock.lease-duration}).
	 * @return the lease
	 */
	String leaseDuration() default "";

	/**
	 * How long the lock stays held, counted from its acquisition, even if the method
	 * returns earlier; a text like that of {@link #waitTime()}. The call does not wait
	 * for it. Set it for scheduled jobs with {@link OnBusy#SKIP} that are no
	 * {@link ScheduledLock}: to more than the clocks of the nodes can differ, and less
	 * than the time between two runs.
	 * @return the time; none by default
	 */
	String holdAtLeast() default "";

	/**
	 * How long the lock is held at most, counted from its acquisition, however long the
	 * method runs; a text like that of {@link #waitTime()}. For methods that may hang.
	 * Once it is reached, the lock is lost
	 * ({@link io.github.dynamodblock.LossReason#HELD_TOO_LONG}), {@link #onLost()}
	 * decides what happens to the running method, and other nodes can acquire the lock at
	 * most one lease later. This is what ShedLock calls {@code lockAtMostFor}. The
	 * default is the lock client's ({@code dynamodb-lock.hold-at-most}).
	 * @return the time
	 */
	String holdAtMost() default "";

	/**
	 * Whether a call stays for up to one lease beyond its wait time when the owner of the
	 * lock seems to have crashed, and then takes over from it. By their clocks, that
	 * owner has not renewed the lock for longer than its lease. If it renews or releases
	 * it after all, the call is refused at once. An owner whose lease is longer than this
	 * lock's is not awaited. Of several locks, it is up to one lease for each. Without
	 * it, a call that does not wait is refused, and the first one a lease later takes
	 * over, if it comes from the same node.
	 * @return whether it stays; {@code true} for {@link ScheduledLock}
	 * @see io.github.dynamodblock.LockRequest#awaitSilentOwner
	 */
	boolean awaitSilentOwner() default false;

	/**
	 * What a call does when the lock is not granted within the wait time.
	 * @return what to do
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * The name of the method that answers for this one with {@link OnBusy#FALLBACK}: a
	 * method of the bean's class, which may be private, or of the interface of a bean
	 * that is a proxy, such as a repository; with the same parameters, or those and a
	 * last one for the {@link io.github.dynamodblock.LockNotGrantedException}. It runs
	 * without the lock.
	 * @return the name
	 */
	String fallback() default "";

	/**
	 * What happens to the running method when its lock is lost.
	 * @return what to do
	 */
	OnLost onLost() default OnLost.REPORT;

	/**
	 * The name of the {@link io.github.dynamodblock.LockClient} bean that takes the lock,
	 * in an application with several; <code>${...}</code> is replaced. The default is the
	 * only one, or the primary one.
	 * @return the bean's name
	 */
	String lockClient() default "";

}
