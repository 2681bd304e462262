/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.List;
import java.util.function.LongFunction;

import io.github.dynamodblock.spring.OnCrash;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs seeds of the simulation of jobs. The campaign of the mutants calls it by its name.
 */
public final class JobSimulation implements LongFunction<List<String>> {

	static final int TICKS = 200;

	/** The tests' logging leaves out what is logged under this mark. */
	private static final String QUIET = "quiet";

	static {
		// Before a first thread marks itself, since marks are kept by what logs.
		LoggerFactory.getILoggerFactory();
	}

	/**
	 * Runs a seed, of which every other one reruns crashed runs.
	 * @param seed the seed
	 * @return what was violated
	 */
	@Override
	public List<String> apply(long seed) {
		return run(seed / 2, (seed % 2 == 0) ? OnCrash.RERUN : OnCrash.NEXT_TICK).violations();
	}

	static JobChecks run(long seed, OnCrash onCrash) {
		MDC.put(QUIET, "true");
		try {
			return new SimulatedJobs(seed, JobScenario.of(seed, onCrash), TICKS).run();
		}
		finally {
			MDC.remove(QUIET);
		}
	}

}
