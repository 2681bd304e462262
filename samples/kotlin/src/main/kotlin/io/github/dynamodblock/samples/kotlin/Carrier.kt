/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.kotlin

import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Component

/**
 * Stands for the client of another service. The service stores the fencing token with the
 * order, and rejects smaller ones.
 */
@Component
class Carrier {

    private val logger = LoggerFactory.getLogger(Carrier::class.java)

    /**
     * Orders a parcel to be picked up, and returns its number.
     */
    suspend fun pickUp(orderId: String, fencingToken: Long): String {
        logger.info("Picking up order {} with fencing token {}", orderId, fencingToken)
        delay(100.milliseconds)
        return "parcel-$orderId"
    }

}
