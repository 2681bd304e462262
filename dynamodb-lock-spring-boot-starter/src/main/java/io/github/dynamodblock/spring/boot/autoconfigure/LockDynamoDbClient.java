/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DynamoDbClient} bean that locks use. Needed if the application has
 * several such beans, or only one that locks must not use.
 *
 * <pre class="code">
 * &#64;Bean(defaultCandidate = false)
 * &#64;LockDynamoDbClient
 * DynamoDbClient locksDynamoDbClient() {
 *     return DynamoDbClient.builder().region(Region.EU_WEST_1).build();
 * }
 * </pre>
 *
 * <p>
 * With {@code defaultCandidate = false}, the bean is injected only at injection points
 * with this annotation.
 */
@Target({ ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface LockDynamoDbClient {

}
