/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the tests of a class a separate lock table, which is empty before each of them.
 *
 * <pre class="code"> &#64;SpringBootTest &#64;FreshLockTable class NightlyReportTests {
 *
 * &#64;Test void isWrittenOnce(&#64;Autowired NightlyReport report) { ... }
 *
 * } </pre>
 *
 * <p>
 * The table has a unique name ({@code dynamodb-lock.table.name}) and is created when the
 * application context starts ({@code dynamodb-lock.table.create=if-missing}). It is in
 * the DynamoDB that the application's locks use: in memory, in a container, or that of
 * the application's own {@code DynamoDbClient} bean, where it stays after the test. A
 * lock client that names another table keeps that table.
 *
 * <p>
 * Classes with this annotation can run in parallel, because each has a separate table and
 * application context. The tests of one class share a table, and run one after the other
 * even if JUnit would run them in parallel. {@code @Nested} classes belong to the
 * enclosing class, unless they have this annotation themselves.
 *
 * <p>
 * The table is emptied before {@code @BeforeEach} methods run. If a test leaves a lock
 * held, for example by {@code holdAtLeast}, its application context is closed, because
 * the lock client would keep the lock. The next test gets a new context.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface FreshLockTable {

}
