package io.github.dynamodblock.spring

import io.github.dynamodblock.LockKey
import io.github.dynamodblock.spring.support.DynamoDbExtension
import io.github.dynamodblock.spring.support.LockNode
import io.github.dynamodblock.spring.support.LockRow
import io.github.dynamodblock.test.EmbeddedDynamoDb
import java.io.IOException
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith

/** Kotlin needs no type arguments to call a template. */
@ExtendWith(DynamoDbExtension::class)
class LockTemplateInKotlinTests {

    @Test
    fun aLambdaIsABodyWithoutTypeArguments(dynamoDb: EmbeddedDynamoDb) {
        template(dynamoDb) { template, row ->
            val token: Long = template.execute("k") { it.fencingToken() }
            assertThat(template.execute("k") { lock -> lock.fencingToken() - token }).isPositive()
            val nothing: String? = template.waitTime(Duration.ofSeconds(5)).execute("k") { null }
            assertThat(nothing).isNull()
            var held = false
            template.execute("k") { held = !row.isFree() }
            assertThat(held).isTrue()
            assertThat(row.isFree()).isTrue()
        }
    }

    @Test
    fun everyWayToExecuteTakesALambda(dynamoDb: EmbeddedDynamoDb) {
        template(dynamoDb) { template, row ->
            val keys = mutableListOf<LockKey>()
            template.executeWithoutResult("k") { keys += it.key() }
            assertThat(template.execute("k") { keys.add(it.key()) }).isTrue()
            assertThat(template.executeIfFree("k") { keys.size }.orElse(0)).isEqualTo(2)
            assertThat(template.executeIfFreeWithoutResult("k") { keys += it.key() }).isTrue()
            template.options { it.holdAtMost(Duration.ofMinutes(1)) }.executeWithoutResult("k") { keys += it.key() }
            assertThat(keys).hasSize(4).containsOnly(LockKey.of("k"))
            assertThat(row.isFree()).isTrue()
        }
    }

    @Test
    fun anExceptionThatJavaChecksReachesTheCallerAsItIs(dynamoDb: EmbeddedDynamoDb) {
        template(dynamoDb) { template, row ->
            val failure = IOException("the body's")
            assertThatExceptionOfType(IOException::class.java)
                .isThrownBy { template.execute("k") { throw failure } }
                .isSameAs(failure)
            assertThat(row.isFree()).isTrue()
        }
    }

    private fun template(dynamoDb: EmbeddedDynamoDb, test: (LockTemplate, LockRow) -> Unit) {
        LockNode.of(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=1m").run { context ->
            test(context.getBean(LockTemplate::class.java), LockRow(dynamoDb, context, "k"))
        }
    }

}
