/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job

import io.github.dynamodblock.spring.ScheduledLock
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.test.EmbeddedDynamoDb
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.scheduling.annotation.Scheduled

@ExtendWith(DynamoDbExtension::class)
class SuspendJobTests {

    @Test
    fun aScheduledSuspendFunctionHasTicks(dynamoDb: EmbeddedDynamoDb) {
        JobNode.of(dynamoDb, Job::class.java)
            .withUserConfiguration(RerunTests.Scheduling::class.java)
            .withPropertyValues("dynamodb-lock.lease-duration=30s")
            .run { node ->
                await().ignoreExceptions().untilAsserted {
                    val ledger = JobNode.ledger(node, "suspending")
                    assertThat(ledger.attempt()).isEqualTo(1)
                    assertThat(ledger.outcome()).hasValue(JobOutcome.SUCCEEDED)
                }
            }
    }

    @Test
    fun aSuspendFunctionIsRunManually(dynamoDb: EmbeddedDynamoDb) {
        JobNode.of(dynamoDb, Job::class.java).run { node ->
            JobNode.runNow(node, "suspending")
            await().ignoreExceptions().untilAsserted {
                val ledger = JobNode.ledger(node, "suspending")
                assertThat(ledger.isFinishedManual).isTrue()
                assertThat(ledger.outcome()).hasValue(JobOutcome.SUCCEEDED)
            }
        }
    }

    open class Job {

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        @ScheduledLock("suspending")
        open suspend fun run(): String? = withContext(Dispatchers.Default) { "done" }

    }

}
