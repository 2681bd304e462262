/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports a start that settings of who may call have ended.
 */
class AccessSettingsFailureAnalyzer extends AbstractFailureAnalyzer<AccessSettingsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, AccessSettingsException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
	}

}
