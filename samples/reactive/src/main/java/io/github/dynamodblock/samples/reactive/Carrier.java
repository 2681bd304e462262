/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.reactive;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Stands for the client of another service. The service stores the fencing token with the
 * order, and rejects smaller ones.
 */
@Component
public class Carrier {

	private static final Logger logger = LoggerFactory.getLogger(Carrier.class);

	/**
	 * Orders a parcel to be picked up.
	 * @return the parcel's number
	 */
	public Mono<String> pickUp(String orderId, long fencingToken) {
		return Mono.fromSupplier(() -> {
			logger.info("Picking up order {} with fencing token {}", orderId, fencingToken);
			return "parcel-" + orderId;
		});
	}

}
