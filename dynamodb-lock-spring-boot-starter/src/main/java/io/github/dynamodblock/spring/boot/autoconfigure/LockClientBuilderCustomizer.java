/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClientBuilder;

/**
 * Sets what properties cannot, or overrides them. Each bean of this type is applied to
 * the builder of every auto-configured lock client, after the properties, in the order of
 * {@link org.springframework.core.annotation.Order}. The lock table is checked as the
 * properties say: to use another table or other key names, set the properties.
 *
 * <pre class="code">
 * &#64;Bean
 * LockClientBuilderCustomizer listenersOnTheirOwnThreads(ExecutorService executor) {
 *     return (builder) -&gt; builder.listenerExecutor(executor);
 * }
 * </pre>
 *
 * <p>
 * An option that the core refuses, or one that does not fit the others, fails startup.
 */
@FunctionalInterface
public interface LockClientBuilderCustomizer {

	/**
	 * Sets options of a lock client that is about to be built.
	 * @param builder the builder, with the properties applied; not to be kept, and not to
	 * be built
	 */
	void customize(LockClientBuilder builder);

}
