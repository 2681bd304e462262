/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.trial;

import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.samples.lockservice.trial.Instance.UnavailableException;
import io.github.dynamodblock.samples.lockservice.trial.Instance.UnexpectedAnswerException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one client's requests to any instance, and again to another one if there is no
 * answer. Used by one thread.
 */
final class Caller {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

	/** As the service's Retry-After says. */
	private static final long RETRY_SECONDS = 1;

	private final List<Instance> instances;

	private final History history;

	private final Set<Instance> gone = new HashSet<>();

	Caller(List<Instance> instances, History history) {
		this.instances = instances;
		this.history = history;
	}

	/**
	 * Sends a request until it is answered.
	 * @return the call with its answer
	 * @throws GivenUpException if there is no proper answer, which the history then says
	 */
	Call call(Request request) throws InterruptedException, GivenUpException {
		return call(request, 1);
	}

	/**
	 * Sends a request that was sent, and answered, before.
	 */
	Call repeat(Request request) throws InterruptedException, GivenUpException {
		return call(request, 2);
	}

	private Call call(Request request, int firstSending) throws InterruptedException, GivenUpException {
		long asked = System.nanoTime();
		Instance instance = any(null);
		for (int sending = firstSending; System.nanoTime() - asked < PATIENCE; sending++) {
			long sent = System.nanoTime();
			try {
				Answer answer = instance.send(request);
				Call call = new Call(request, instance.name(), asked, sent, System.nanoTime(), sending, answer);
				this.history.answered(call);
				return call;
			}
			catch (UnavailableException ex) {
				this.history.unavailable(instance.name());
				TimeUnit.SECONDS.sleep(RETRY_SECONDS);
			}
			catch (IOException ex) {
				this.history.unanswered(instance.name());
				if (ex instanceof ConnectException) {
					this.gone.add(instance);
				}
			}
			catch (UnexpectedAnswerException | RuntimeException ex) {
				throw givenUp(ex.toString());
			}
			instance = any(instance);
		}
		throw givenUp("no answer within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s to " + request);
	}

	/** An instance that listens, and another one than before if there is one. */
	private Instance any(@Nullable Instance before) {
		List<Instance> listening = this.instances.stream().filter((one) -> !this.gone.contains(one)).toList();
		List<Instance> others = listening.stream().filter((one) -> one != before).toList();
		List<Instance> choice = !others.isEmpty() ? others : (!listening.isEmpty() ? listening : this.instances);
		return choice.get(ThreadLocalRandom.current().nextInt(choice.size()));
	}

	private GivenUpException givenUp(String why) {
		this.history.failed(why);
		return new GivenUpException();
	}

	/**
	 * The client cannot go on; the history says why.
	 */
	static final class GivenUpException extends Exception {

		private static final long serialVersionUID = 1L;

	}

}
