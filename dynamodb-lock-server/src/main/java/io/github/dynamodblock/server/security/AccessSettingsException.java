/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

/**
 * The settings of who may call cannot be meant.
 */
class AccessSettingsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String remedy;

	AccessSettingsException(String message, String remedy) {
		super(message);
		this.remedy = remedy;
	}

	/**
	 * How to fix it.
	 */
	String remedy() {
		return this.remedy;
	}

}
