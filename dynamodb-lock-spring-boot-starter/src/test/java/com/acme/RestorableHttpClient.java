/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

import org.springframework.stereotype.Component;

/** The HTTP client of docs/operations.md. */
@Component
public class RestorableHttpClient implements SdkHttpClient, Resource {

	private @Nullable SdkHttpClient current;

	public RestorableHttpClient() {
		Core.getGlobalContext().register(this);
	}

	private synchronized SdkHttpClient current() {
		if (this.current == null) {
			this.current = Apache5HttpClient.create();
		}
		return this.current;
	}

	@Override
	public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
		return current().prepareRequest(request);
	}

	@Override
	public synchronized void close() {
		if (this.current != null) {
			this.current.close();
			this.current = null;
		}
	}

	@Override
	public void beforeCheckpoint(Context<? extends Resource> context) {
		close();
	}

	@Override
	public void afterRestore(Context<? extends Resource> context) {
		// The next request creates the client.
	}

}
