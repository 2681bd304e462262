/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.kotlin

import kotlinx.coroutines.runBlocking
import org.springframework.boot.ApplicationRunner
import org.springframework.boot.fromApplication
import org.springframework.boot.test.context.TestConfiguration
import org.springframework.boot.with
import org.springframework.context.annotation.Bean

/**
 * Starts the application on this machine, with locks in memory, and ships an order.
 */
@TestConfiguration(proxyBeanMethods = false)
class LocalApplication {

    @Bean
    fun work(shipping: Shipping) = ApplicationRunner {
        runBlocking { shipping.ship("17") }
        shipping.cancel("18")
    }

}

fun main() {
    fromApplication<KotlinApplication>()
        .with(LocalApplication::class)
        .run("--dynamodb-lock.embedded.enabled=true")
}
