/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.kotlin

import io.github.dynamodblock.spring.DistributedLock
import io.github.dynamodblock.spring.LockContext
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Service

/**
 * Ships orders: each by one node at a time, different ones in parallel.
 */
@Service
class Shipping(private val carrier: Carrier) {

    private val logger = LoggerFactory.getLogger(Shipping::class.java)

    /**
     * Ships an order. Suspends for up to 10 seconds while another node ships the same one, and
     * holds the lock until the function returns, throws or is cancelled.
     */
    @DistributedLock(name = "order", key = "#orderId", waitTime = "10s")
    suspend fun ship(orderId: String) {
        val parcel = carrier.pickUp(orderId, fencingToken())
        logger.info("Shipped order {} as {}", orderId, parcel)
    }

    /**
     * Cancels an order, unless it is being shipped.
     */
    @DistributedLock(name = "order", key = "#orderId", waitTime = "0s")
    fun cancel(orderId: String) {
        logger.info("Cancelling order {} with fencing token {}", orderId, fencingToken())
    }

    // The locks of a coroutine are also here, on each thread that it runs on.
    private fun fencingToken() = LockContext.current().orElseThrow().fencingToken()

}
