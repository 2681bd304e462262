/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An acquisition of a publisher is observed within the observation in the subscriber's
 * Reactor context, also where Reactor does not restore thread locals in every operator,
 * which is Boot's default.
 */
@ExtendWith(DynamoDbExtension.class)
class ReactiveObservationTests {

	private static final String NAME = "dynamodb.lock.acquire";

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	@Test
	void theAcquisitionOfAMonoHasTheSubscribersObservationAsItsParent(EmbeddedDynamoDb dynamoDb) {
		assertObserved(dynamoDb, (orders) -> orders.mono(List.of("a")), 1);
	}

	@Test
	void theAcquisitionsOfSeveralLocksAllHaveIt(EmbeddedDynamoDb dynamoDb) {
		assertObserved(dynamoDb, (orders) -> orders.mono(List.of("a", "b", "c")), 3);
	}

	@Test
	void theAcquisitionOfAFluxHasIt(EmbeddedDynamoDb dynamoDb) {
		assertObserved(dynamoDb, (orders) -> orders.flux("a"), 1);
	}

	private void assertObserved(EmbeddedDynamoDb dynamoDb, Function<Orders, Publisher<String>> call, int acquisitions) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withBean(Orders.class)
			.run((context) -> {
				Observation request = Observation.start("http.server.requests", this.registry);
				assertThat(Flux.from(call.apply(context.getBean(Orders.class)))
					.subscribeOn(Schedulers.parallel())
					.contextWrite((subscriber) -> subscriber.put(ObservationThreadLocalAccessor.KEY, request))
					.collectList()
					.block(Duration.ofSeconds(20))).containsExactly("done");
				request.stop();
				assertThat(this.registry).hasNumberOfObservationsWithNameEqualTo(NAME, acquisitions)
					.forAllObservationsWithNameEqualTo(NAME,
							(acquisition) -> acquisition.hasParentObservationEqualTo(request));
			});
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#ids")
		Mono<String> mono(List<String> ids) {
			return Mono.just("done");
		}

		@DistributedLock(name = "orders", key = "#id")
		Flux<String> flux(String id) {
			return Flux.just("done");
		}

	}

}
