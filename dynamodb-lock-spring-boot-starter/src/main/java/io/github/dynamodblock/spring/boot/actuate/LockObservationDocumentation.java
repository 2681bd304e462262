/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of locks.
 */
public enum LockObservationDocumentation implements ObservationDocumentation {

	/**
	 * An acquisition, from the request to the grant or refusal, waiting included.
	 */
	ACQUIRE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityKeyNames.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityKeyNames.values();
		}

		@Override
		public String getPrefix() {
			return PREFIX;
		}

	};

	/** The prefix of the names of observations, meters and their keys. */
	static final String PREFIX = "dynamodb.lock.";

	/**
	 * Key names for metrics and traces.
	 */
	public enum LowCardinalityKeyNames implements KeyName {

		/** The name of the lock client's bean. */
		CLIENT,

		/** The name of the lock's request, or {@code unnamed}. */
		NAME,

		/**
		 * How the acquisition ended: {@code acquired}, {@code busy}, {@code cancelled},
		 * {@code lost}, {@code closed} or {@code failed}; {@code unknown} until then.
		 */
		OUTCOME;

		@Override
		public String asString() {
			return PREFIX + name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Key names for traces only.
	 */
	public enum HighCardinalityKeyNames implements KeyName {

		/** The key of the lock. */
		KEY;

		@Override
		public String asString() {
			return PREFIX + name().toLowerCase(Locale.ROOT);
		}

	}

}
