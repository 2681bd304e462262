/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;

import io.github.dynamodblock.server.lock.Fingerprints;
import io.github.dynamodblock.server.lock.Hold;
import io.github.dynamodblock.server.lock.Holder;
import io.github.dynamodblock.server.lock.LockName;
import io.github.dynamodblock.server.lock.LockServerProperties;
import io.github.dynamodblock.server.lock.Locks;
import io.github.dynamodblock.server.operation.RequestLog;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.CurrentSecurityContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * The HTTP API of the locks. It first validates the body, then the path. A client that
 * does not accept JSON is refused before that, because it could not read that it got a
 * lock.
 */
@RestController
@RequestMapping(path = "/v1/{namespace}/lock/{lockName}", produces = MediaType.APPLICATION_JSON_VALUE)
class LockController {

	private static final String OWNER = "authentication.name";

	private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

	private final Locks locks;

	private final Fingerprints fingerprints;

	private final RequestBodies bodies;

	private final Turns turns;

	private final Duration timeout;

	LockController(Locks locks, Fingerprints fingerprints, RequestBodies bodies, Turns turns,
			LockServerProperties properties) {
		this.bodies = bodies;
		this.turns = turns;
		this.timeout = properties.requestTimeout();
		this.locks = locks;
		this.fingerprints = fingerprints;
	}

	@GetMapping
	DeferredResult<ResponseEntity<LockAnswer>> find(@PathVariable String namespace, @PathVariable String lockName,
			HttpServletRequest http) {
		LockName name = Parameters.lockName(namespace, lockName);
		Call call = new Call(http, this.timeout);
		this.turns.atOnce(() -> call.run(() -> this.locks.find(name), (found) -> ResponseEntity
			.ok(found.map((held) -> LockAnswer.held(name, held)).orElseGet(() -> LockAnswer.free(name)))));
		return call;
	}

	@PostMapping("/acquire")
	DeferredResult<ResponseEntity<LockAnswer>> acquire(@PathVariable String namespace, @PathVariable String lockName,
			@RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http) {
		return withBody(http, AcquireRequest.class, (body, call) -> {
			Holder holder = holder(owner, body.instanceId(), http);
			LockName name = Parameters.lockName(namespace, lockName, idempotencyKey);
			this.turns.inTurn(name, () -> call.run(
					() -> this.locks.acquire(name, holder, body.leaseDuration(), idempotencyKey, call::isWanted),
					(hold) -> answer(name, owner, body.instanceId(), hold, http)));
		});
	}

	@PostMapping("/renew")
	DeferredResult<ResponseEntity<LockAnswer>> renew(@PathVariable String namespace, @PathVariable String lockName,
			@RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http) {
		return withBody(http, RenewRequest.class, (body, call) -> {
			Holder holder = holder(owner, body.instanceId(), http);
			LockName name = Parameters.lockName(namespace, lockName, idempotencyKey);
			this.turns.inTurn(name,
					() -> call.run(
							() -> this.locks.renew(name, holder, body.leaseDuration(), idempotencyKey,
									body.fencingToken(), call::isWanted),
							(hold) -> answer(name, owner, body.instanceId(), hold, http)));
		});
	}

	@PostMapping("/release")
	DeferredResult<ResponseEntity<LockAnswer>> release(@PathVariable String namespace, @PathVariable String lockName,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http) {
		return withBody(http, ReleaseRequest.class, (body, call) -> {
			Holder holder = holder(owner, body.instanceId(), http);
			LockName name = Parameters.lockName(namespace, lockName);
			this.turns.inTurn(name,
					() -> call.run(() -> this.locks.release(name, holder, body.fencingToken(), call::isWanted),
							(free) -> released(name, free)));
		});
	}

	/** For administrators. The security filters admit only them. */
	@PostMapping("/force-release")
	DeferredResult<ResponseEntity<LockAnswer>> forceRelease(@PathVariable String namespace,
			@PathVariable String lockName, @CurrentSecurityContext(expression = OWNER) String administrator,
			HttpServletRequest http) {
		return withBody(http, ForceReleaseRequest.class, (body, call) -> {
			LockName name = Parameters.lockName(namespace, lockName);
			this.turns.inTurn(name,
					() -> call.run(
							() -> this.locks.forceRelease(name, body.fencingToken(), administrator, call::isWanted),
							(free) -> released(name, free)));
		});
	}

	private <T> Call withBody(HttpServletRequest http, Class<T> type, BiConsumer<T, Call> next) {
		Call call = new Call(http, this.timeout);
		Future<?> unused = this.bodies.read(http, type)
			.thenAccept((body) -> next.accept(body, call))
			.whenComplete((done, failure) -> {
				if (failure != null) {
					call.setErrorResult(Objects.requireNonNullElse(failure.getCause(), failure));
				}
			});
		return call;
	}

	private Holder holder(String owner, String instanceId, HttpServletRequest http) {
		Holder holder = new Holder(owner, this.fingerprints.of(instanceId));
		RequestLog.instance(http, holder.instanceFingerprint());
		return holder;
	}

	private static ResponseEntity<LockAnswer> answer(LockName name, String owner, String instanceId,
			Optional<Hold> hold, HttpServletRequest http) {
		hold.ifPresent((granted) -> RequestLog.fencingToken(http, granted.fencingToken()));
		return hold.map((granted) -> ResponseEntity.ok(LockAnswer.granted(name, owner, instanceId, granted)))
			.orElseGet(() -> refusal(name));
	}

	private static ResponseEntity<LockAnswer> released(LockName name, boolean free) {
		return free ? ResponseEntity.ok(LockAnswer.released(name)) : refusal(name);
	}

	private static ResponseEntity<LockAnswer> refusal(LockName name) {
		return ResponseEntity.status(HttpStatus.LOCKED).body(LockAnswer.refused(name));
	}

}
