/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring

import io.github.dynamodblock.spring.support.CallRecorder
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.spring.support.LockNode
import io.github.dynamodblock.test.EmbeddedDynamoDb
import java.util.concurrent.Executors
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith

/** LockContext in coroutines, which leave their thread when they are suspended. */
@ExtendWith(DynamoDbExtension::class)
class CoroutineLockContextTests {

    private val calls = CallRecorder()

    @Test
    fun aSuspendFunctionHasItsLockOnEveryThreadAndAfterEverySuspension(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb) { orders, _ ->
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { other ->
                val tokens = runBlocking {
                    orders.locked { token ->
                        val begin = current()
                        val elsewhere = withContext(other) { current() }
                        val child = coroutineScope { async(other) { current() }.await() }
                        listOf(token, begin, elsewhere, current(), child)
                    }
                }
                assertThat(tokens).hasSize(5).containsOnly(tokens[0])
            }
        }
    }

    @Test
    fun aBlockingMethodThatIsCalledAfterASuspensionJoinsTheLock(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb) { orders, _ ->
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { other ->
                runBlocking {
                    orders.locked { token ->
                        calls.clear()
                        assertThat(withContext(other) { orders.blocking() }).isEqualTo(token)
                        assertThat(calls.calls()).isEmpty()
                    }
                }
            }
        }
    }

    @Test
    fun aThreadDoesNotKeepTheLocksOfACoroutine(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb) { orders, _ ->
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { other ->
                runBlocking {
                    orders.locked { withContext(other) { current() } }
                    assertThat(current()).isNull()
                    assertThat(withContext(other) { current() }).isNull()
                }
            }
        }
    }

    @Test
    fun aNestedFunctionHasItsOwnLockAndTheCallerItsOwnAfterwards(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb) { orders, _ ->
            runBlocking {
                orders.locked { outer ->
                    val inner = orders.lockedToo { current() }
                    assertThat(inner).isNotNull().isNotEqualTo(outer)
                    assertThat(current()).isEqualTo(outer)
                }
            }
        }
    }

    @Test
    fun aBlockingMethodPassesItsLocksToACoroutine(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb) { _, template ->
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { other ->
                val token = template.execute("k") {
                    assertThat(runBlocking { withContext(other) { current() } }).isNull()
                    runBlocking(CoroutineLockContext.capture()) { withContext(other) { current() } }
                }
                assertThat(token).isNotNull()
            }
        }
    }

    private fun current(): Long? = LockContext.current().map { it.fencingToken() }.orElse(null)

    private fun node(dynamoDb: EmbeddedDynamoDb, test: (Orders, LockTemplate) -> Unit) {
        LockNode.of(dynamoDb, calls::attach)
            .withPropertyValues("dynamodb-lock.lease-duration=1m")
            .withBean(Orders::class.java)
            .run { context -> test(context.getBean(Orders::class.java), context.getBean(LockTemplate::class.java)) }
    }

    open class Orders {

        @DistributedLock(name = "orders", key = "1", waitTime = "0s")
        open suspend fun <T> locked(body: suspend (Long) -> T): T =
            body(LockContext.current().orElseThrow().fencingToken())

        @DistributedLock(name = "orders", key = "2", waitTime = "0s")
        open suspend fun <T> lockedToo(body: suspend () -> T): T = body()

        @DistributedLock(name = "orders", key = "1", waitTime = "0s")
        open fun blocking(): Long = LockContext.current().orElseThrow().fencingToken()

    }

}
