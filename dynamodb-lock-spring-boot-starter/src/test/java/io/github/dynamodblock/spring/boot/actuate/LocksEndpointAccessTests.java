/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Map;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the endpoint is, and what may be done there.
 */
@ExtendWith(DynamoDbExtension.class)
class LocksEndpointAccessTests extends LocksEndpointApplication {

	@Test
	void backsOffFromTheApplicationsOwnEndpoint(EmbeddedDynamoDb dynamoDb) throws Exception {
		LocksEndpoint own = new LocksEndpoint(Map.of(), (event) -> {
		});
		start(application(dynamoDb).initializers((context) -> ((GenericApplicationContext) context).registerBean("own",
				LocksEndpoint.class, () -> own)));
		assertThat(application().getBean(LocksEndpoint.class)).isSameAs(own);
		assertThat(get("/actuator/locks", 200)).isEqualTo("{\"clients\":{}}");
	}

	@Test
	void thereIsNoEndpointWhenLocksAreSwitchedOff(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "dynamodb-lock.enabled=false");
		assertThat(application().getBeanProvider(LockClient.class).getIfAvailable()).isNull();
		assertThat(application().getBeanProvider(LocksEndpoint.class).getIfAvailable()).isNull();
		get("/actuator/locks", 404);
		get("/actuator/health", 200);
	}

	@Test
	void thereIsNoEndpointForWhomNothingIsAllowed(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoint.locks.access=none");
		assertThat(application().getBeanProvider(LocksEndpoint.class).getIfAvailable()).isNull();
		get("/actuator/locks", 404);
	}

	@Test
	void accessToAllEndpointsAllowsReleases(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoints.access.default=unrestricted");
		client().acquire("k");
		assertThat(delete(CLIENT + "?key=k&owner=" + client().ownerName(), 200)).contains("RELEASED");
		assertThat(client().find("k")).hasValueSatisfying((record) -> assertThat(record.isReleased()).isTrue());
	}

	@Test
	void accessOfThisEndpointWinsOverThatOfAll(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoints.access.default=unrestricted",
				"management.endpoint.locks.access=read-only");
		client().acquire("k");
		delete(CLIENT + "?key=k&owner=" + client().ownerName(), 405);
	}

}
