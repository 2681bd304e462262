/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop

import io.github.dynamodblock.HeldLock
import io.github.dynamodblock.LockLostException
import io.github.dynamodblock.LockNotGrantedException
import io.github.dynamodblock.spring.DistributedLock
import io.github.dynamodblock.spring.LockContext
import io.github.dynamodblock.spring.OnBusy
import io.github.dynamodblock.spring.OnLost
import io.github.dynamodblock.spring.ReactiveLockContext
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration
import io.github.dynamodblock.spring.support.CallRecorder
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.spring.support.LockNode
import io.github.dynamodblock.spring.support.LockRow
import io.github.dynamodblock.test.EmbeddedDynamoDb
import io.micrometer.observation.Observation
import io.micrometer.observation.ObservationRegistry
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor
import io.micrometer.observation.tck.TestObservationRegistry
import io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import reactor.util.context.Context

@OptIn(DelicateCoroutinesApi::class)
@ExtendWith(DynamoDbExtension::class)
class SuspendFunctionTests {

    private val limit: Duration = Duration.ofSeconds(20)

    private val calls = CallRecorder()

    private val entered = CompletableDeferred<Unit>()

    private val work = CompletableDeferred<String>()

    private fun node(dynamoDb: EmbeddedDynamoDb): ApplicationContextRunner =
        quietNode(dynamoDb)
            .withPropertyValues("dynamodb-lock.lease-duration=10s", "dynamodb-lock.heartbeat-period=400ms")

    /** No heartbeat comes among the calls that a test counts. */
    private fun quietNode(dynamoDb: EmbeddedDynamoDb): ApplicationContextRunner =
        LockNode.of(dynamoDb, calls::attach)
            .withPropertyValues("dynamodb-lock.lease-duration=60s")
            .withBean(Orders::class.java)

    private suspend fun body(): String {
        entered.complete(Unit)
        return work.await()
    }

    private fun awaitEntered() = await().until { entered.isCompleted }

    @Test
    fun theLockIsHeldAndRenewedUntilTheFunctionEnds(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb).run { context ->
            val row = LockRow(dynamoDb, context, "orders:1")
            val orders = context.getBean(Orders::class.java)
            val freeWhenTold = GlobalScope.async { orders.fulfil("1") { body() } to row.isFree() }
            awaitEntered()
            calls.clear()
            await().until { calls.calls().size >= 2 }
            assertThat(row.isFree()).isFalse()
            work.complete("done")
            assertThat(freeWhenTold.asCompletableFuture()).succeedsWithin(limit).isEqualTo("done" to true)
        }
    }

    @Test
    fun anUncontendedCallCostsTwoWrites(dynamoDb: EmbeddedDynamoDb) {
        quietNode(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            calls.clear()
            assertThat(runBlocking { orders.fulfil("1") { "done" } }).isEqualTo("done")
            assertThat(calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest")
        }
    }

    @Test
    fun aFunctionWithoutAResultIsLockedToo(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            val row = LockRow(dynamoDb, context, "orders:1")
            assertThat(runBlocking { orders.nothing { assertThat(row.isFree()).isFalse() } }).isEqualTo(Unit)
            assertThat(row.isFree()).isTrue()
        }
    }

    @Test
    fun theFunctionsFailureIsTheCallersAfterTheRelease(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            val failure = IllegalArgumentException("the body's")
            assertThatExceptionOfType(IllegalArgumentException::class.java)
                .isThrownBy { runBlocking { orders.fulfil("1") { throw failure } } }
                .withMessage("the body's")
            assertThat(LockRow(dynamoDb, context, "orders:1").isFree()).isTrue()
        }
    }

    @Test
    fun cancellingTheCoroutineReleases(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            val job = GlobalScope.launch { orders.fulfil("1") { entered.complete(Unit); awaitCancellation() } }
            awaitEntered()
            job.cancel()
            await().until { LockRow(dynamoDb, context, "orders:1").isFree() }
            await().until { job.isCompleted }
        }
    }

    @Test
    fun cancellingTheCoroutineWhileItWaitsGivesTheLockUp(dynamoDb: EmbeddedDynamoDb) {
        val node = node(dynamoDb)
        node.run { first ->
            node.run { second ->
                val holding = GlobalScope.async { first.getBean(Orders::class.java).fulfil("1") { body() } }
                awaitEntered()
                calls.clear()
                val orders = second.getBean(Orders::class.java)
                val waiting = GlobalScope.launch { orders.patiently() }
                await().until { calls.calls().size >= 3 }
                waiting.cancel()
                await().until { waiting.isCompleted }
                work.complete("done")
                assertThat(holding.asCompletableFuture()).succeedsWithin(limit)
                await().during(Duration.ofMillis(500)).until { LockRow(dynamoDb, first, "orders:1").isFree() }
                assertThat(orders.bodies()).isZero()
            }
        }
    }

    @Test
    fun whileTheLockIsBusyTheCallerIsTold(dynamoDb: EmbeddedDynamoDb) {
        busy(dynamoDb) { orders ->
            assertThatExceptionOfType(LockNotGrantedException::class.java)
                .isThrownBy { runBlocking { orders.fulfil("1") { "ran" } } }
        }
    }

    @Test
    fun whileTheLockIsBusyASkippedCallGivesNull(dynamoDb: EmbeddedDynamoDb) {
        busy(dynamoDb) { orders ->
            assertThat(runBlocking { orders.skip() }).isNull()
            assertThat(orders.bodies()).isZero()
        }
    }

    @Test
    fun whileTheLockIsBusyTheFallbackAnswers(dynamoDb: EmbeddedDynamoDb) {
        busy(dynamoDb) { orders ->
            assertThat(runBlocking { orders.orElse("argument") }).isEqualTo("instead of argument")
        }
    }

    @Test
    fun aNestedCallJoinsInWhateverThread(dynamoDb: EmbeddedDynamoDb) {
        quietNode(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            val tokens = runBlocking {
                orders.withLock { outer ->
                    calls.clear()
                    val current = ReactiveLockContext.current().awaitSingle()
                    val nested = withContext(Dispatchers.IO) {
                        orders.withLock { it.fencingToken() }
                    }
                    assertThat(calls.calls()).isEmpty()
                    listOf(outer.fencingToken(), current.fencingToken(), nested)
                }
            }
            assertThat(tokens).hasSize(3).containsOnly(tokens[0])
        }
    }

    @Test
    fun aFunctionCalledUnderAThreadsLockJoinsIt(dynamoDb: EmbeddedDynamoDb) {
        quietNode(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            orders.blocking {
                calls.clear()
                assertThat(runBlocking { orders.fulfil("1") { "done" } }).isEqualTo("done")
                assertThat(calls.calls()).isEmpty()
                assertThat(LockRow(dynamoDb, context, "orders:1").isFree()).isFalse()
            }
        }
    }

    @Test
    fun aLossCancelsTheFunctionIfWanted(dynamoDb: EmbeddedDynamoDb) {
        node(dynamoDb).run { context ->
            val orders = context.getBean(Orders::class.java)
            val cancelled = CompletableDeferred<Unit>()
            val result = GlobalScope.async {
                orders.strictly {
                    try {
                        entered.complete(Unit)
                        awaitCancellation()
                    } finally {
                        cancelled.complete(Unit)
                    }
                }
            }
            awaitEntered()
            LockRow(dynamoDb, context, "orders:1").steal()
            assertThat(result.asCompletableFuture()).failsWithin(limit)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockLostException::class.java)
            await().until { cancelled.isCompleted }
        }
    }

    @Test
    fun theAcquisitionIsObservedWithinTheObservationOfTheCoroutine(dynamoDb: EmbeddedDynamoDb) {
        val registry = TestObservationRegistry.create()
        quietNode(dynamoDb)
            .withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration::class.java))
            .withBean(ObservationRegistry::class.java, { registry })
            .run { context ->
                val orders = context.getBean(Orders::class.java)
                val request = Observation.start("http.server.requests", registry)
                val coroutine = Context.of(ObservationThreadLocalAccessor.KEY, request).asCoroutineContext()
                assertThat(runBlocking(coroutine) { orders.fulfil("1") { "done" } }).isEqualTo("done")
                request.stop()
                assertThat(registry)
                    .hasObservationWithNameEqualTo("dynamodb.lock.acquire")
                    .that()
                    .hasParentObservationEqualTo(request)
            }
    }

    @Test
    fun aSequenceIsRefusedSinceItsElementsAreComputedLater(dynamoDb: EmbeddedDynamoDb) {
        LockNode.of(dynamoDb).withBean(Sequences::class.java).run { context ->
            assertThat(context).hasFailed()
            assertThat(context.startupFailure).hasMessageContaining("Sequences.values(")
                .hasMessageContaining("it returns Sequence, so its work may continue after the method returns")
        }
    }

    @Test
    fun aFunctionThatReturnsBeforeItsWorkIsDoneIsRefused(dynamoDb: EmbeddedDynamoDb) {
        LockNode.of(dynamoDb).withBean(Streams::class.java).run { context ->
            assertThat(context).hasFailed()
            assertThat(context.startupFailure).hasMessageContaining("Streams.values(")
                .hasMessageContaining("it returns Flow, so its work may continue after the method returns")
        }
    }

    @Test
    fun aFunctionThatCannotGiveNullIsNotSkipped(dynamoDb: EmbeddedDynamoDb) {
        LockNode.of(dynamoDb).withBean(SkippedNumber::class.java).run { context ->
            assertThat(context).hasFailed()
            assertThat(context.startupFailure).hasMessageContaining("SkippedNumber.count(")
                .hasMessageContaining("a skipped call cannot return a value of type Integer; return a type that")
        }
    }

    @Test
    fun aFallbackOfAnotherTypeIsRefused(dynamoDb: EmbeddedDynamoDb) {
        LockNode.of(dynamoDb).withBean(UnfitFallback::class.java).run { context ->
            assertThat(context).hasFailed()
            assertThat(context.startupFailure).hasMessageContaining("UnfitFallback.count(")
                .hasMessageContaining("returns Integer, and has no lock annotation")
        }
    }

    private fun busy(dynamoDb: EmbeddedDynamoDb, check: (Orders) -> Unit) {
        val node = node(dynamoDb)
        node.run { first ->
            node.run { second ->
                val holding = GlobalScope.async { first.getBean(Orders::class.java).fulfil("1") { body() } }
                awaitEntered()
                check(second.getBean(Orders::class.java))
                work.complete("done")
                assertThat(holding.asCompletableFuture()).succeedsWithin(limit)
            }
        }
    }

    open class Streams {

        @DistributedLock("streams")
        open suspend fun values(): Flow<String> = flowOf("a")

    }

    open class Sequences {

        @DistributedLock("sequences")
        open fun values(): Sequence<String> = sequenceOf("a")

    }

    open class SkippedNumber {

        @DistributedLock("numbers", onBusy = OnBusy.SKIP)
        open suspend fun count(): Int = 1

    }

    open class UnfitFallback {

        @DistributedLock("numbers", onBusy = OnBusy.FALLBACK, fallback = "instead")
        open suspend fun count(): Int = 1

        @Suppress("unused", "RedundantSuspendModifier")
        private suspend fun instead(): String = "none"

    }

    open class Orders {

        private val bodies = AtomicInteger()

        open fun bodies() = bodies.get()

        @DistributedLock(name = "orders", key = "#id", waitTime = "0s")
        open suspend fun fulfil(id: String, body: suspend () -> String): String = body()

        @DistributedLock(name = "orders", key = "1")
        open suspend fun nothing(body: suspend () -> Unit) {
            body()
        }

        @DistributedLock(name = "orders", key = "1", waitTime = "1m")
        open suspend fun patiently(): Int = bodies.incrementAndGet()

        @DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
        open suspend fun skip(): Int? = bodies.incrementAndGet()

        @DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "instead")
        open suspend fun orElse(argument: String): String = "ran with $argument"

        @Suppress("unused")
        private suspend fun instead(argument: String, refusal: LockNotGrantedException): String {
            kotlinx.coroutines.yield()
            assertThat(refusal).hasMessageContaining("orders:1")
            return "instead of $argument"
        }

        @DistributedLock(name = "orders", key = "1", waitTime = "0s")
        open suspend fun <T> withLock(body: suspend (HeldLock) -> T): T = body(LockContext.current().orElseThrow())

        @DistributedLock(name = "orders", key = "1", waitTime = "0s")
        open fun blocking(body: () -> Unit) = body()

        @DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
        open suspend fun strictly(body: suspend () -> String): String = body()

    }

}
