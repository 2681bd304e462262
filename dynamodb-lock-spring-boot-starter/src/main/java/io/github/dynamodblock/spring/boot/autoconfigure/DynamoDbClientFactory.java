/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.DynamoDb;
import io.github.dynamodblock.spring.boot.autoconfigure.diagnostics.LockSetupException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Makes the DynamoDbClient of a lock client for which the application has none.
 */
class DynamoDbClientFactory {

	private final LockClientProperties properties;

	private final ObjectProvider<DynamoDbClientDefaults> defaults;

	private final ObjectProvider<LockDynamoDbClientBuilderCustomizer> customizers;

	DynamoDbClientFactory(LockClientProperties properties, ObjectProvider<DynamoDbClientDefaults> defaults,
			ObjectProvider<LockDynamoDbClientBuilderCustomizer> customizers) {
		this.properties = properties;
		this.defaults = defaults;
		this.customizers = customizers;
	}

	/**
	 * Makes the client.
	 * @return the client, which sends nothing yet
	 */
	DynamoDbClient create() {
		DynamoDb client = this.properties.values().dynamodb();
		checkEndpoint(this.properties, client.endpoint());
		checkCredentials(this.properties, client);
		DynamoDbClientBuilder builder = DynamoDbClient.builder();
		DynamoDbClientDefaults others = this.defaults.getIfAvailable();
		Region region = region(client, others);
		if (others != null) {
			others.apply(builder, region);
		}
		if (region != null) {
			builder.region(region);
		}
		if (client.endpoint() != null) {
			builder.endpointOverride(client.endpoint());
		}
		AwsCredentialsProvider credentials = credentials(client);
		if (credentials != null) {
			builder.credentialsProvider(credentials);
		}
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	/** The region, or {@code null} if the application's defaults give one. */
	private @Nullable Region region(DynamoDb client, @Nullable DynamoDbClientDefaults others) {
		if (client.region() != null) {
			return Region.of(client.region());
		}
		try {
			if (others == null || client.profile() != null) {
				return DefaultAwsRegionProviderChain.builder().profileName(client.profile()).build().getRegion();
			}
			others.requireRegion();
			return null;
		}
		catch (SdkClientException ex) {
			throw noRegion(client, ex);
		}
	}

	private LockSetupException noRegion(DynamoDb client, SdkClientException cause) {
		boolean separate = this.properties.hasSeparateDynamoDbClient();
		String own = DynamoDbLockProperties.PREFIX + ".clients." + this.properties.name() + ".dynamodb.*";
		String property = this.properties.property("dynamodb.region");
		return new LockSetupException(
				"No DynamoDbClient can be made for locks, because no AWS region is known: " + property
						+ " is not set, and the SDK found none. "
						+ (separate
								? "The lock client '" + this.properties.name()
										+ "' has a separate DynamoDbClient, because it sets " + own + "."
								: "The application has no DynamoDbClient bean."),
				"Set " + property + ", the environment variable AWS_REGION, or the region of the AWS profile"
						+ ((client.profile() != null) ? " '" + client.profile() + "'" : "")
						+ ((client.endpoint() != null) ? "; DynamoDB Local takes any, such as local" : "") + ". Or "
						+ (separate ? "remove " + own + ", and let it share the other lock clients' DynamoDbClient."
								: "define a DynamoDbClient bean. To try locks without AWS, add dynamodb-lock-test as "
										+ "optional and start the application by spring-boot:run, or with scope test and "
										+ "start it by spring-boot:test-run; the jar that Spring Boot builds contains "
										+ "neither."),
				cause);
	}

	private static void checkEndpoint(LockClientProperties values, @Nullable URI endpoint) {
		if (endpoint != null && (endpoint.getHost() == null
				|| !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
			throw values.refusal("dynamodb.endpoint", endpoint,
					"It must be an address with http or https and a host, such as http://localhost:8000.");
		}
	}

	private static void checkCredentials(LockClientProperties values, DynamoDb client) {
		if (client.accessKey() != null && client.secretKey() == null) {
			throw values.refusal("dynamodb.access-key", client.accessKey(),
					"It is of no use alone. Set " + values.property("dynamodb.secret-key") + ", too.");
		}
		if (client.accessKey() == null && client.secretKey() != null) {
			throw values.refusal("dynamodb.secret-key", "******",
					"It is of no use alone. Set " + values.property("dynamodb.access-key") + ", too.");
		}
		if (client.accessKey() == null && client.sessionToken() != null) {
			throw values.refusal("dynamodb.session-token", "******",
					"It is of no use alone. Set " + values.property("dynamodb.access-key") + " and "
							+ values.property("dynamodb.secret-key") + ", too.");
		}
		if (client.accessKey() != null && client.profile() != null) {
			throw values.refusal("dynamodb.profile", client.profile(), "It gives credentials, and so does "
					+ values.property("dynamodb.access-key") + ". Remove one of them.");
		}
	}

	/** The configured credentials, or {@code null} for those found elsewhere. */
	private static @Nullable AwsCredentialsProvider credentials(DynamoDb client) {
		String accessKey = client.accessKey();
		String secretKey = client.secretKey();
		if (accessKey == null || secretKey == null) {
			return (client.profile() != null) ? ProfileCredentialsProvider.create(client.profile()) : null;
		}
		return StaticCredentialsProvider.create((client.sessionToken() != null)
				? AwsSessionCredentials.create(accessKey, secretKey, client.sessionToken())
				: AwsBasicCredentials.create(accessKey, secretKey));
	}

}
