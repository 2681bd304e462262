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
 * <pre class="code">
 * &#64;SpringBootTest
 * &#64;FreshLockTable
 * class NightlyReportTests {
 *
 *     &#64;Test
 *     void isWrittenOnce(&#64;Autowired NightlyReport report) { ... }
 *
 * }
 * </pre>
 *
 * <p>
 * The table has a name that no other has ({@code dynamodb-lock.table.name}) and is
 * created when the application context starts
 * ({@code dynamodb-lock.table.create=if-missing}). It is in whatever DynamoDB the
 * application's locks use: in memory, a container's, or that of the application's own
 * {@code DynamoDbClient} bean, where it stays after the test. A lock client that names
 * another table keeps that one.
 *
 * <p>
 * Classes with this annotation can run in parallel, as each has a table and so a separate
 * application context. The tests of one class share a table, and take turns even where
 * JUnit would run them in parallel. {@code @Nested} classes belong to the class around
 * them, unless they have this annotation themselves.
 *
 * <p>
 * The table is emptied before {@code @BeforeEach} methods run. If a test leaves a lock
 * held, by {@code holdAtLeast} for example, its application context is closed and the
 * next test has a new one, since the lock client goes on holding what it holds.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface FreshLockTable {

}
