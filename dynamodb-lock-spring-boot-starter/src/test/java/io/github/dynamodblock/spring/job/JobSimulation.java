/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.List;
import java.util.function.LongFunction;

import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs seeds of the simulation of jobs. The campaign of the mutants calls it by its name.
 */
public final class JobSimulation implements LongFunction<List<String>> {

	static final int TICKS = 200;

	private static final int ATTEMPTS = 3;

	/** The tests' logging leaves out what is logged under this mark. */
	private static final String QUIET = "quiet";

	static {
		// Before a first thread marks itself, since marks are kept by what logs.
		LoggerFactory.getILoggerFactory();
	}

	/**
	 * Runs a seed, of which every other one lets ticks have further attempts.
	 * @param seed the seed
	 * @return what was violated
	 */
	@Override
	public List<String> apply(long seed) {
		return run(seed / 2, (seed % 2 == 0) ? ATTEMPTS : 1).violations();
	}

	static JobFindings run(long seed, int attempts) {
		MDC.put(QUIET, "true");
		try {
			return new SimulatedJobs(seed, JobScenario.of(seed, attempts), TICKS).run();
		}
		finally {
			MDC.remove(QUIET);
		}
	}

}
