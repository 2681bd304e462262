/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.Optional;

import io.github.dynamodblock.Printable;

/**
 * Reports that an operator has paused, resumed or started a job through the actuator
 * endpoint {@code lockedjobs}; an application event of the node that received the
 * request. It is published on the thread of the request, before the response.
 *
 * <pre class="code">
 * &#64;EventListener
 * void audit(JobManagedEvent event) {
 *     audit.log("{} of {} by {}", event.action(), event.job().name(), event.principal().orElse("unknown"));
 * }
 * </pre>
 *
 * @param job the job
 * @param action what the operator has done
 * @param principal the name of the authenticated user; empty if the request has none
 * @param reason why, if the operator gave a reason
 */
public record JobManagedEvent(LockedJob job, Action action, Optional<String> principal, Optional<String> reason) {

	/** For the log, on one line, whatever the request contained. */
	@Override
	public String toString() {
		String what = switch (this.action) {
			case PAUSE -> "paused on all nodes";
			case RESUME -> "resumed on all nodes";
			case RUN -> "called on this node, outside of its schedule,";
		};
		return this.job + ": " + what + " by "
				+ this.principal.map((name) -> "'" + Printable.of(name) + "'").orElse("an unauthenticated client")
				+ " through the endpoint 'lockedjobs'"
				+ this.reason.map((reason) -> ": " + Printable.of(reason)).orElse("");
	}

	/** What an operator can do with a job. */
	public enum Action {

		/** No run starts until the job is resumed. */
		PAUSE,

		/** Runs start again. */
		RESUME,

		/** The job was called on this node, outside of its schedule. */
		RUN

	}

}
