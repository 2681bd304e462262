/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import io.github.dynamodblock.spring.boot.actuate.LockObservationDocumentation.HighCardinalityKeyNames;
import io.github.dynamodblock.spring.boot.actuate.LockObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

/**
 * The default name and key values of the observation
 * {@link LockObservationDocumentation#ACQUIRE}. To change them, define a subclass as a
 * bean. Thread-safe.
 *
 * <pre class="code">
 * &#64;Bean
 * DefaultLockObservationConvention lockObservationConvention() {
 *     return new DefaultLockObservationConvention() {
 *         public String getContextualName(LockAcquisitionContext context) {
 *             return "wait for " + context.getRequest().key();
 *         }
 *     };
 * }
 * </pre>
 */
public class DefaultLockObservationConvention implements GlobalObservationConvention<LockAcquisitionContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LockAcquisitionContext;
	}

	@Override
	public String getName() {
		return "dynamodb.lock.acquire";
	}

	@Override
	public String getContextualName(LockAcquisitionContext context) {
		return "acquire lock " + context.lockName();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockAcquisitionContext context) {
		return KeyValues.of(LowCardinalityKeyNames.CLIENT.withValue(context.getClientName()),
				LowCardinalityKeyNames.NAME.withValue(context.lockName()),
				LowCardinalityKeyNames.OUTCOME.withValue(context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockAcquisitionContext context) {
		return KeyValues.of(HighCardinalityKeyNames.KEY.withValue(context.getRequest().key().toString()));
	}

}
