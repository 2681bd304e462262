/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Beans with methods whose work may go on after they have returned.
 */
final class UnfinishedWork {

	private UnfinishedWork() {
	}

	public static class WebCallable {

		@DistributedLock("a")
		public @Nullable Callable<String> work() {
			return null;
		}

	}

	public static class WebDeferredResult {

		@DistributedLock("a")
		public @Nullable DeferredResult<String> work() {
			return null;
		}

	}

	public static class WebTask {

		@DistributedLock("a")
		public @Nullable WebAsyncTask<String> work() {
			return null;
		}

	}

	public static class WebStream {

		@DistributedLock("a")
		public @Nullable StreamingResponseBody work() {
			return null;
		}

	}

	public static class WebEvents {

		@DistributedLock("a")
		public @Nullable SseEmitter work() {
			return null;
		}

	}

	public static class LazyStream {

		@DistributedLock("a")
		public Stream<String> work() {
			return Stream.of("");
		}

	}

	public static class LazyNumbers {

		@DistributedLock("a")
		public IntStream work() {
			return IntStream.of(1);
		}

	}

	public static class PlainFuture {

		@DistributedLock("a")
		Future<String> work() {
			return CompletableFuture.completedFuture("");
		}

	}

	public static class FutureOfItsOwn {

		@DistributedLock("a")
		FutureTask<String> work() {
			return new FutureTask<>(() -> "");
		}

	}

	public static class PlainPublisher {

		@DistributedLock("a")
		Publisher<String> work() {
			return Mono.empty();
		}

	}

	public static class FlowPublisher {

		@DistributedLock("a")
		Flow.Publisher<String> work() {
			return (subscriber) -> {
			};
		}

	}

}
