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

import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;

/**
 * Gives a Spring test real locks on tables in memory, even if the application defines a
 * {@code DynamoDbClient}, and also in a test slice.
 *
 * <pre class="code"> &#64;WebMvcTest(ReportController.class) &#64;InMemoryLocks class
 * ReportControllerTests {
 *
 * &#64;Test void writesTheReport(&#64;Autowired MockMvcTester mvc) { ... }
 *
 * } </pre>
 *
 * <p>
 * Locks use a new {@link io.github.dynamodblock.test.memory.InMemoryDynamoDb} for each
 * application context. It replaces a {@code DynamoDbClient} bean that is annotated with
 * {@link io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient}. Other
 * clients stay, but locks don't use them: startup fails if the application defines a
 * {@code LockClient} bean with one. A test slice also gets the auto-configurations of the
 * lock client, annotated methods, {@code LockTemplate} and events, which it does not have
 * by itself.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({ AopAutoConfiguration.class, DistributedLockAutoConfiguration.class,
		DynamoDbLockClientAutoConfiguration.class })
public @interface InMemoryLocks {

}
