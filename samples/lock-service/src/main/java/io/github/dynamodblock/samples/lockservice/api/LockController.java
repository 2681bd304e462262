/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import java.security.Principal;
import java.util.Optional;

import io.github.dynamodblock.samples.lockservice.lock.Hold;
import io.github.dynamodblock.samples.lockservice.lock.Holder;
import io.github.dynamodblock.samples.lockservice.lock.LockName;
import io.github.dynamodblock.samples.lockservice.lock.Locks;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The locks on the web.
 */
@RestController
@RequestMapping("/v1/{namespace}/lock/{lockName}")
class LockController {

	private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

	private final Locks locks;

	LockController(Locks locks) {
		this.locks = locks;
	}

	@GetMapping
	LockAnswer find(@PathVariable String namespace, @PathVariable String lockName) {
		LockName name = new LockName(namespace, lockName);
		return this.locks.find(name).map((lock) -> LockAnswer.held(name, lock)).orElseGet(() -> LockAnswer.free(name));
	}

	@PostMapping("/acquire")
	ResponseEntity<LockAnswer> acquire(@PathVariable String namespace, @PathVariable String lockName,
			@RequestBody LeaseRequest request, @Nullable Principal caller) throws InterruptedException {
		LockName name = new LockName(namespace, lockName);
		Holder holder = new Holder(Owner.of(caller), request.instanceId());
		return answer(name, holder, this.locks.acquire(name, holder, request.leaseDuration()));
	}

	@PostMapping("/renew")
	ResponseEntity<LockAnswer> renew(@PathVariable String namespace, @PathVariable String lockName,
			@RequestBody LeaseRequest request,
			@RequestHeader(name = IDEMPOTENCY_KEY, required = false) @Nullable String idempotencyKey,
			@Nullable Principal caller) {
		LockName name = new LockName(namespace, lockName);
		Holder holder = new Holder(Owner.of(caller), request.instanceId());
		return answer(name, holder, this.locks.renew(name, holder, request.leaseDuration(), idempotencyKey));
	}

	@PostMapping("/release")
	ResponseEntity<LockAnswer> release(@PathVariable String namespace, @PathVariable String lockName,
			@RequestBody ReleaseRequest request, @Nullable Principal caller) {
		LockName name = new LockName(namespace, lockName);
		boolean free = this.locks.release(name, new Holder(Owner.of(caller), request.instanceId()));
		return free ? ResponseEntity.ok(LockAnswer.released(name)) : refusal(name);
	}

	private static ResponseEntity<LockAnswer> answer(LockName name, Holder holder, Optional<Hold> hold) {
		return hold.map((granted) -> ResponseEntity.ok(LockAnswer.granted(name, holder, granted)))
			.orElseGet(() -> refusal(name));
	}

	private static ResponseEntity<LockAnswer> refusal(LockName name) {
		return ResponseEntity.status(HttpStatus.LOCKED).body(LockAnswer.refused(name));
	}

}
