/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.kotlin

import io.github.dynamodblock.LockClient
import io.github.dynamodblock.LockNotGrantedException
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/**
 * [otherNode] stands for another node.
 */
@SpringBootTest
class ShippingTests @Autowired constructor(private val shipping: Shipping, private val otherNode: LockClient) {

    @Test
    fun `an order waits until another node has shipped it`() {
        val shipped = otherNode.acquire("order:17").use {
            val shipped = CoroutineScope(Dispatchers.Default).async { shipping.ship("17") }
            await().untilAsserted { assertThat(otherNode.waiting()).hasSize(1) }
            assertThat(shipped.isCompleted).isFalse()
            shipped
        }
        runBlocking { withTimeout(10.seconds) { shipped.await() } }
    }

    @Test
    fun `an order is not cancelled while another node ships it`() {
        otherNode.acquire("order:17").use {
            assertThatExceptionOfType(LockNotGrantedException::class.java).isThrownBy { shipping.cancel("17") }
        }
    }

}
