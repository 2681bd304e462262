/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import io.micrometer.common.KeyValues;

/**
 * The observation {@code dynamodb.lock.acquire}, with {@code client}, {@code name} and
 * {@code outcome} as key values of low cardinality, fit for metrics, and the {@code key}
 * as one of high cardinality, for traces only. Thread-safe.
 *
 * <pre>{@code
 * LockObservationConvention convention = new DefaultLockObservationConvention();
 * }</pre>
 */
public class DefaultLockObservationConvention implements LockObservationConvention {

	@Override
	public String getName() {
		return "dynamodb.lock.acquire";
	}

	@Override
	public String getContextualName(LockAcquisitionContext context) {
		return "acquire lock " + LockAcquisitionContext.name(context.getRequest().name());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockAcquisitionContext context) {
		return KeyValues.of("client", context.getClientName(), "name",
				LockAcquisitionContext.name(context.getRequest().name()), "outcome", context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockAcquisitionContext context) {
		return KeyValues.of("key", context.getRequest().key().toString());
	}

}
