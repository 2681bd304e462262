/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockclient;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/** A holder notices the loss of its lock at its next heartbeat, so they are frequent. */
@SpringBootTest(properties = "dynamodb-lock.heartbeat-period=100ms")
class IndexRebuildTests {

	@Autowired
	IndexRebuild rebuild;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@MockitoBean
	SearchIndex index;

	@BeforeEach
	void forgetTheRebuildAtStartup() {
		clearInvocations(this.index);
	}

	@Test
	void waitsUntilAnotherNodeIsDone(@Autowired AsyncTaskExecutor executor) throws Exception {
		CompletableFuture<Void> rebuilt;
		try (HeldLock lock = this.otherNode.acquire("search-index")) {
			rebuilt = executor.submitCompletable(() -> {
				this.rebuild.rebuild();
				return null;
			});
			await().untilAsserted(() -> assertThat(this.otherNode.waiting()).hasSize(1));
			verifyNoInteractions(this.index);
		}
		assertThat(rebuilt).succeedsWithin(Duration.ofSeconds(10));
		verify(this.index, times(3)).store(anyString(), anyLong());
	}

	@Test
	void doesNothingWhileAnotherNodeRebuilds() throws Exception {
		try (HeldLock lock = this.otherNode.acquire("search-index")) {
			assertThat(this.rebuild.rebuildIfFree()).isFalse();
			verifyNoInteractions(this.index);
		}
		assertThat(this.rebuild.rebuildIfFree()).isTrue();
	}

	@Test
	void stopsWhenTheLockIsLost() {
		willAnswer((invocation) -> {
			LockKey key = LockKey.of("search-index");
			this.otherNode.forceRelease(key, this.otherNode.find(key).orElseThrow().ownerName());
			await().untilAsserted(() -> assertThat(this.otherNode.held()).isEmpty());
			return null;
		}).given(this.index).store(eq("films"), anyLong());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.rebuild::rebuild)
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR));
		verify(this.index).store(eq("books"), anyLong());
		verify(this.index, never()).store(eq("music"), anyLong());
	}

	@Test
	void theIndexRefusesALateWrite() {
		SearchIndex realIndex = new SearchIndex();
		realIndex.store("books", 64);
		assertThatIllegalStateException().isThrownBy(() -> realIndex.store("books", 32));
	}

}
