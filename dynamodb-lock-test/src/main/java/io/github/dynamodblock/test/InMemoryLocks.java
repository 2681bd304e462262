/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a Spring test the real lock clients on tables in memory: no DynamoDB Local, no
 * Docker, no network.
 *
 * <pre class="code">
 * &#64;SpringBootTest
 * &#64;InMemoryLocks
 * class NightlyReportTests {
 *
 *     &#64;Test
 *     void isWritten(&#64;Autowired NightlyReport report) { ... }
 *
 * }
 * </pre>
 *
 * <p>
 * The application context gets a bean {@code testDynamoDbClient}, a new
 * {@link io.github.dynamodblock.test.memory.InMemoryDynamoDb}, unless the application
 * defines a {@code DynamoDbClient}. It also gets the starter's auto-configurations of
 * lock clients, annotated methods, templates and events, which a test slice such as
 * {@code @WebMvcTest} does not have.
 *
 * <p>
 * Needs Spring Boot and the starter.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface InMemoryLocks {

}
