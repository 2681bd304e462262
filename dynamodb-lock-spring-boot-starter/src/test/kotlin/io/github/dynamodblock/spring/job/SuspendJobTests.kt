/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job

import io.github.dynamodblock.LockClient
import io.github.dynamodblock.spring.ScheduledLock
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.test.EmbeddedDynamoDb
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.scheduling.annotation.Scheduled

@ExtendWith(DynamoDbExtension::class)
class SuspendJobTests {

    @Test
    fun aScheduledSuspendFunctionHasTicksAndKnowsThem(dynamoDb: EmbeddedDynamoDb) {
        JobNode.of(dynamoDb, Job::class.java)
            .withUserConfiguration(RerunTests.Scheduling::class.java)
            .withPropertyValues("dynamodb-lock.lease-duration=30s")
            .run { node ->
                await().ignoreExceptions().untilAsserted {
                    val record = JobNode.record(node, "suspending")
                    assertThat(record.attempt()).isEqualTo(1)
                    assertThat(record.outcome()).hasValue(JobOutcome.SUCCEEDED)
                }
                val run = JobContext(JobNode.record(node, "suspending").tick().orElseThrow(), 1, false)
                assertThat(node.getBean(Job::class.java).contexts()).containsExactly(run, run)
            }
    }

    @Test
    fun aSuspendFunctionIsRunOutsideOfItsSchedule(dynamoDb: EmbeddedDynamoDb) {
        JobNode.of(dynamoDb, Job::class.java).run { node ->
            JobNode.runNow(node, "suspending")
            JobNode.awaitFree(node, "suspending")
            assertThat(JobNode.record(node, "suspending").lastSuccessAt()).isPresent()
            assertThat(node.getBean(Job::class.java).contexts()).containsExactly(null, null)
        }
    }

    @Test
    fun aSuspendFunctionThatReturnsUnitIsAJob(dynamoDb: EmbeddedDynamoDb) {
        JobNode.of(dynamoDb, UnitJob::class.java).run { node ->
            assertThat(node).hasNotFailed()
            JobNode.runNow(node, "unit")
            JobNode.awaitFree(node, "unit")
            assertThat(JobNode.record(node, "unit").lastSuccessAt()).isPresent()
            runBlocking {
                val job = node.getBean(UnitJob::class.java)
                node.getBean(LockClient::class.java).acquire("unit").use { job.run() }
                assertThat(job.runs()).describedAs("without the skipped call").isEqualTo(1)
            }
        }
    }

    open class UnitJob {

        private val runs = AtomicInteger()

        open fun runs(): Int = runs.get()

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        @ScheduledLock("unit")
        open suspend fun run() {
            delay(1)
            runs.incrementAndGet()
        }

    }

    open class Job {

        private val seen = CopyOnWriteArrayList<JobContext?>()

        /** Before and after the function was suspended. */
        open fun contexts(): List<JobContext?> = seen

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        @ScheduledLock("suspending")
        open suspend fun run(): String? {
            seen.add(JobContext.current().orElse(null))
            return withContext(Dispatchers.Default) {
                seen.add(JobContext.current().orElse(null))
                "done"
            }
        }

    }

}
