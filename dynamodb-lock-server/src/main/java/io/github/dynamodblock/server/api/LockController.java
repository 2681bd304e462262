/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.util.Optional;

import io.github.dynamodblock.server.lock.Fingerprints;
import io.github.dynamodblock.server.lock.Hold;
import io.github.dynamodblock.server.lock.Holder;
import io.github.dynamodblock.server.lock.LockName;
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

/**
 * The locks on the web. Bodies are checked before anything else, then the path. A client
 * that accepts no JSON is refused before it gets a lock without knowing it.
 */
@RestController
@RequestMapping(path = "/v1/{namespace}/lock/{lockName}", produces = MediaType.APPLICATION_JSON_VALUE)
class LockController {

	private static final String OWNER = "authentication.name";

	private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

	private final Locks locks;

	private final Fingerprints fingerprints;

	private final RequestBodies bodies;

	LockController(Locks locks, Fingerprints fingerprints, RequestBodies bodies) {
		this.bodies = bodies;
		this.locks = locks;
		this.fingerprints = fingerprints;
	}

	@GetMapping
	LockAnswer find(@PathVariable String namespace, @PathVariable String lockName) {
		LockName name = Parameters.lockName(namespace, lockName);
		return this.locks.find(name).map((held) -> LockAnswer.held(name, held)).orElseGet(() -> LockAnswer.free(name));
	}

	@PostMapping("/acquire")
	ResponseEntity<LockAnswer> acquire(@PathVariable String namespace, @PathVariable String lockName,
			@RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http)
			throws IOException, InterruptedException {
		AcquireRequest body = this.bodies.read(http, AcquireRequest.class);
		Holder holder = holder(owner, body.instanceId(), http);
		LockName name = Parameters.lockName(namespace, lockName, idempotencyKey);
		Optional<Hold> hold = this.locks.acquire(name, holder, body.leaseDuration(), idempotencyKey);
		return answer(name, owner, body.instanceId(), hold, http);
	}

	@PostMapping("/renew")
	ResponseEntity<LockAnswer> renew(@PathVariable String namespace, @PathVariable String lockName,
			@RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http)
			throws IOException, InterruptedException {
		RenewRequest body = this.bodies.read(http, RenewRequest.class);
		Holder holder = holder(owner, body.instanceId(), http);
		LockName name = Parameters.lockName(namespace, lockName, idempotencyKey);
		Optional<Hold> hold = this.locks.renew(name, holder, body.leaseDuration(), idempotencyKey, body.fencingToken());
		return answer(name, owner, body.instanceId(), hold, http);
	}

	@PostMapping("/release")
	ResponseEntity<LockAnswer> release(@PathVariable String namespace, @PathVariable String lockName,
			@CurrentSecurityContext(expression = OWNER) String owner, HttpServletRequest http)
			throws IOException, InterruptedException {
		ReleaseRequest body = this.bodies.read(http, ReleaseRequest.class);
		Holder holder = holder(owner, body.instanceId(), http);
		LockName name = Parameters.lockName(namespace, lockName);
		return this.locks.release(name, holder, body.fencingToken()) ? ResponseEntity.ok(LockAnswer.released(name))
				: refusal(name);
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

	private static ResponseEntity<LockAnswer> refusal(LockName name) {
		return ResponseEntity.status(HttpStatus.LOCKED).body(LockAnswer.refused(name));
	}

}
