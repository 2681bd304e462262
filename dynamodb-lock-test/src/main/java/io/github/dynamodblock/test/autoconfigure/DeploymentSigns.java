/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * What an environment has that an application needs for AWS, or has where it is deployed.
 * Values are not repeated, since some are secrets. A virtual machine whose role AWS alone
 * knows has none of them.
 */
final class DeploymentSigns {

	private static final String TABLE = "dynamodb-lock.table.name";

	private static final List<String> PROPERTIES = List.of("dynamodb-lock.dynamodb.region",
			"spring.cloud.aws.region.static", "spring.cloud.aws.dynamodb.region",
			"spring.cloud.aws.credentials.access-key", "spring.cloud.aws.credentials.secret-key",
			"spring.cloud.aws.credentials.profile.name", "spring.cloud.aws.credentials.sts.role-arn",
			"spring.cloud.aws.credentials.sts.web-identity-token-file", "spring.cloud.aws.region.profile.name");

	/** Switches that have Spring Cloud AWS ask the virtual machine. */
	private static final List<String> INSTANCE_PROFILE = List.of("spring.cloud.aws.credentials.instance-profile",
			"spring.cloud.aws.region.instance-profile");

	/** Environment variables and system properties of the SDK and of AWS' platforms. */
	private static final List<String> SDK = List.of("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE",
			"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
			"AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
			"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_EXECUTION_ENV", "AWS_LAMBDA_FUNCTION_NAME",
			"ECS_CONTAINER_METADATA_URI_V4", "aws.region", "aws.profile", "aws.accessKeyId", "aws.secretAccessKey",
			"aws.secretKey", "aws.roleArn", "aws.webIdentityTokenFile");

	private DeploymentSigns() {
	}

	/** The signs, as nouns; empty if there is none. */
	static List<String> in(ConfigurableEnvironment environment) {
		Stream<String> properties = Stream.of(PROPERTIES, SDK)
			.flatMap(List::stream)
			.filter((name) -> isSet(environment, name));
		Stream<String> arn = environment.getProperty(TABLE, "").startsWith("arn:") ? Stream.of("the ARN in " + TABLE)
				: Stream.empty();
		Stream<String> instanceProfile = INSTANCE_PROFILE.stream()
			.filter((name) -> environment.getProperty(name, Boolean.class, false));
		@Nullable CloudPlatform active = CloudPlatform.getActive(environment);
		Stream<String> platform = (active != null)
				? Stream.of("the cloud platform " + active.name().toLowerCase(Locale.ROOT).replace('_', ' '))
				: Stream.empty();
		Map<String, String> signs = new LinkedHashMap<>();
		Stream.of(properties, arn, instanceProfile, platform)
			.flatMap((each) -> each)
			// A property such as aws.region is also found as the variable AWS_REGION.
			.forEach((sign) -> signs.putIfAbsent(sign.toUpperCase(Locale.ROOT).replace('.', '_'), sign));
		return List.copyOf(signs.values());
	}

	private static boolean isSet(Environment environment, String name) {
		return StringUtils.hasText(environment.getProperty(name));
	}

}
