/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observation of one acquisition. Handlers, filters and conventions are the
 * application's and may throw at every step: none of that may cost the caller a lock, nor
 * leave the caller's thread with an observation that is over. One that cannot be started
 * is none.
 */
final class AcquisitionObservation {

	private final Failures failures;

	private final ObservationRegistry registry;

	private final Observation observation;

	/** What was current on the caller's thread, to be so again. */
	private Observation.@Nullable Scope outerScope;

	private Observation.@Nullable Scope scope;

	private AcquisitionObservation(Failures failures, ObservationRegistry registry, Observation observation) {
		this.failures = failures;
		this.registry = registry;
		this.observation = observation;
	}

	/**
	 * Starts an observation. What is current on the caller's thread becomes its parent.
	 * @param failures what is notified of failures
	 * @param registry gives where to observe
	 * @param start starts it there
	 */
	static AcquisitionObservation start(Failures failures, Supplier<ObservationRegistry> registry, Start start) {
		try {
			ObservationRegistry where = registry.get();
			return new AcquisitionObservation(failures, where, start.in(where));
		}
		catch (Throwable ex) {
			failures.report("started", ex);
			return new AcquisitionObservation(failures, ObservationRegistry.NOOP, Observation.NOOP);
		}
	}

	/** Makes it current on this thread. */
	void openScope() {
		try {
			this.outerScope = this.registry.getCurrentObservationScope();
			this.scope = this.observation.openScope();
		}
		catch (Throwable ex) {
			this.failures.report("made current", ex);
			attempt("taken off its thread", this::closeWhatIsOpen);
		}
	}

	/** Makes current on this thread what was so before. */
	void closeScope() {
		Observation.Scope open = this.scope;
		this.scope = null;
		if (open == null) {
			return;
		}
		attempt("taken off its thread", open::close);
		attempt("taken off its thread", this::restore);
	}

	/** Of several handlers, those before the one that failed have done their part. */
	private void closeWhatIsOpen() {
		Observation.Scope opened = this.registry.getCurrentObservationScope();
		if (opened != this.outerScope) {
			this.scope = opened;
			closeScope();
		}
	}

	/** A scope whose closing fails stays current. */
	private void restore() {
		if (this.registry.getCurrentObservationScope() != this.outerScope) {
			this.registry.setCurrentObservationScope(this.outerScope);
		}
	}

	void error(Throwable problem) {
		attempt("given its error", () -> this.observation.error(problem));
	}

	void stop() {
		attempt("stopped", this.observation::stop);
	}

	private void attempt(String what, Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			this.failures.report(what, ex);
		}
	}

	/** Starts an observation in a registry. */
	@FunctionalInterface
	interface Start {

		Observation in(ObservationRegistry registry);

	}

	/**
	 * Logs what goes wrong while one client's acquisitions are observed: the first time
	 * as a warning, then for those who look, since it may happen with every lock.
	 * Thread-safe.
	 */
	static final class Failures {

		private static final Logger logger = LoggerFactory.getLogger(AcquisitionObservation.class);

		private final String clientName;

		private final AtomicBoolean warned = new AtomicBoolean();

		Failures(String clientName) {
			this.clientName = clientName;
		}

		void report(String what, Throwable failure) {
			if (this.warned.compareAndSet(false, true)) {
				logger
					.warn("An acquisition of lock client '{}' could not be {} as an observation, which harms no lock: a "
							+ "handler, filter or convention of the ObservationRegistry failed. What fails from now on is logged "
							+ "as DEBUG", this.clientName, what, failure);
			}
			else {
				logger.debug("An acquisition of lock client '{}' could not be {} as an observation", this.clientName,
						what, failure);
			}
		}

	}

}
