/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.DistributedLock;
import org.aopalliance.aop.Advice;

/** Stands before other beans. */
public class ReportAdvice implements Advice {

	@DistributedLock("report")
	public void report() {
	}

}
