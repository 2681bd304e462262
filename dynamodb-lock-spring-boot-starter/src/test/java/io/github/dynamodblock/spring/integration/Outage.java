/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

/**
 * What is wrong.
 */
enum Outage {

	REFUSED("is not allowed") {
		@Override
		void begin(StoreCalls calls) {
			calls.refuse();
		}
	},

	UNREACHABLE("answer") {
		@Override
		void begin(StoreCalls calls) {
			calls.cut();
		}
	};

	private final String told;

	Outage(String told) {
		this.told = told;
	}

	abstract void begin(StoreCalls calls);

	String told() {
		return this.told;
	}

}
