/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.observability;

import java.time.Duration;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Ships orders: each by one node at a time.
 */
@RestController
public class Orders {

	private final Duration work;

	Orders(@Value("${work.order}") Duration work) {
		this.work = work;
	}

	@PostMapping("/orders/{id}/shipment")
	@DistributedLock(name = "order", key = "#id", waitTime = "5s")
	String ship(@PathVariable String id) throws InterruptedException {
		Thread.sleep(this.work.toMillis());
		return "shipped " + id + System.lineSeparator();
	}

	@ExceptionHandler
	@ResponseStatus(HttpStatus.CONFLICT)
	String busy(LockNotGrantedException ex) {
		return "is being shipped" + System.lineSeparator();
	}

}
