/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;

/**
 * A chain of the SDK's own that finds nothing, whatever the machine has.
 */
public final class NoCredentials {

	private NoCredentials() {
	}

	public static AwsCredentialsProvider chain() {
		ProfileFile none = ProfileFile.aggregator().build();
		return AwsCredentialsProviderChain.of(ProfileCredentialsProvider.builder().profileFile(none).build());
	}

}
