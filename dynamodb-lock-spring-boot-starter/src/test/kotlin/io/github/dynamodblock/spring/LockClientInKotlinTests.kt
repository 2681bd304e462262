/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring

import io.github.dynamodblock.LockClient
import io.github.dynamodblock.LockKey
import io.github.dynamodblock.LockRequest
import io.github.dynamodblock.test.memory.InMemoryDynamoDb
import java.io.IOException
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test

/** Kotlin needs no type arguments to call a lock client. */
class LockClientInKotlinTests {

    @Test
    fun aLambdaRunsUnderTheLockWithAndWithoutAResult() {
        client { client ->
            val token: Long = client.execute("k") { it.fencingToken() }
            assertThat(client.execute(LockRequest.of("k")) { lock -> lock.fencingToken() }).isGreaterThan(token)
            val nothing: String? = client.execute("k") { null }
            assertThat(nothing).isNull()
            val keys = mutableListOf<LockKey>()
            client.execute("k") { keys += it.key() }
            assertThat(keys).containsExactly(LockKey.of("k"))
            assertThat(client.holds("k")).isFalse()
        }
    }

    @Test
    fun anExceptionThatJavaChecksReachesTheCallerAsItIs() {
        client { client ->
            val failure = IOException("the body's")
            assertThatExceptionOfType(IOException::class.java)
                .isThrownBy { client.execute("k") { throw failure } }
                .isSameAs(failure)
            assertThat(client.holds("k")).isFalse()
        }
    }

    private fun client(test: (LockClient) -> Unit) {
        LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build().use(test)
    }

}
