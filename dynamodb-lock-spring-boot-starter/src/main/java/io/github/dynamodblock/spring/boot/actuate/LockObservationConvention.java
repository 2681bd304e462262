/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How the observation of an acquisition is called, and what it carries. Define a bean of
 * this type to change that; unless changed, see {@link DefaultLockObservationConvention}.
 *
 * <pre class="code">
 * &#64;Bean
 * LockObservationConvention lockObservationConvention() {
 *     return new DefaultLockObservationConvention() {
 *         public String getContextualName(LockAcquisitionContext context) {
 *             return "wait for " + context.getRequest().key();
 *         }
 *     };
 * }
 * </pre>
 */
public interface LockObservationConvention extends ObservationConvention<LockAcquisitionContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LockAcquisitionContext;
	}

}
