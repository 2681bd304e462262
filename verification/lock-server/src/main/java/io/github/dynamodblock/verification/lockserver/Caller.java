/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.lockserver.Instance.UnavailableException;
import io.github.dynamodblock.verification.lockserver.Instance.UnexpectedAnswerException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one client's requests to any instance, and again to another one if there is no
 * answer. Used by one thread.
 */
final class Caller {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);

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
		return call(request, 0);
	}

	/**
	 * Sends a request that was sent, and answered, before.
	 */
	Call repeat(Request request) throws InterruptedException, GivenUpException {
		return call(request, 1);
	}

	private Call call(Request request, int earlierSendings) throws InterruptedException, GivenUpException {
		long asked = System.nanoTime();
		Instance instance = any(null);
		int sendings = earlierSendings;
		while (System.nanoTime() - asked < PATIENCE) {
			long sent = System.nanoTime();
			sendings++;
			try {
				Answer answer = instance.send(request);
				Call call = new Call(request, instance.name(), asked, sent, System.nanoTime(),
						System.currentTimeMillis(), sendings, answer);
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
					sendings--;
					this.gone.add(instance);
					pauseIfNobodyListens();
				}
			}
			catch (UnexpectedAnswerException | RuntimeException ex) {
				throw givenUp(missing(request, instance, asked, sendings), ex.toString());
			}
			instance = any(instance);
		}
		throw givenUp(missing(request, instance, asked, sendings),
				"no answer within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s to " + request);
	}

	/** An instance that listens, and another one than before if there is one. */
	private Instance any(@Nullable Instance before) {
		List<Instance> listening = this.instances.stream().filter((one) -> !this.gone.contains(one)).toList();
		List<Instance> others = listening.stream().filter((one) -> one != before).toList();
		List<Instance> choice = !others.isEmpty() ? others : (!listening.isEmpty() ? listening : this.instances);
		return choice.get(ThreadLocalRandom.current().nextInt(choice.size()));
	}

	private void pauseIfNobodyListens() throws InterruptedException {
		if (this.gone.containsAll(this.instances)) {
			TimeUnit.SECONDS.sleep(RETRY_SECONDS);
		}
	}

	private static Call missing(Request request, Instance instance, long asked, int sendings) {
		return new Call(request, instance.name(), asked, asked, System.nanoTime(), System.currentTimeMillis(), sendings,
				new Answer.Missing());
	}

	private GivenUpException givenUp(Call call, String why) {
		this.history.answered(call);
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
