/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClientBuilder;

/**
 * Sets lock client options that have no property, or overrides properties. Each bean of
 * this type is applied to the builder of every auto-configured lock client, after the
 * properties, in the order of {@link org.springframework.core.annotation.Order}. The
 * table check uses only the properties, so set another table or other key names there.
 *
 * <pre class="code">
 * &#64;Bean
 * LockClientBuilderCustomizer listenersOnTheirOwnThreads(ExecutorService executor) {
 *     return (builder) -&gt; builder.listenerExecutor(executor);
 * }
 * </pre>
 *
 * <p>
 * An invalid option, or one that contradicts another, fails startup.
 */
@FunctionalInterface
public interface LockClientBuilderCustomizer {

	/**
	 * Sets options of a lock client that is about to be built.
	 * @param builder the builder, with the properties applied; do not keep it or call
	 * {@code build()}
	 */
	void customize(LockClientBuilder builder);

}
