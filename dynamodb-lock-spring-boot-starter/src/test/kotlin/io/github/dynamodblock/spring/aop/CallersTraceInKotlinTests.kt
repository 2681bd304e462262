/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop

import io.github.dynamodblock.spring.DistributedLock
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.spring.support.LockNode
import io.github.dynamodblock.spring.support.TracedCalls
import io.github.dynamodblock.test.EmbeddedDynamoDb
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import reactor.util.context.Context

@ExtendWith(DynamoDbExtension::class)
class CallersTraceInKotlinTests {

    private val calls = TracedCalls()

    @Test
    fun theCallsOfASuspendFunctionAreInTheTraceOfItsCoroutine(dynamoDb: EmbeddedDynamoDb) {
        LockNode.of(dynamoDb, calls::attach)
            .withPropertyValues("dynamodb-lock.lease-duration=60s")
            .withBean(Orders::class.java)
            .run { context ->
                val orders = context.getBean(Orders::class.java)
                val checkout = calls.begin("checkout")
                val coroutine = Context.of(ObservationThreadLocalAccessor.KEY, checkout).asCoroutineContext()
                assertThat(runBlocking(Dispatchers.Default + coroutine) { orders.fulfil() }).isEqualTo("done")
                assertThat(calls.traces()).containsExactly("checkout", "checkout")
            }
    }

    open class Orders {

        @DistributedLock(name = "orders", key = "1")
        open suspend fun fulfil(): String {
            delay(50)
            return "done"
        }

    }

}
