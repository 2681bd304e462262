/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Text from outside cannot forge lines of logs.
 */
class PrintableTests {

	@Test
	void lineBreaksAndBidirectionalMarksAreEscaped() {
		assertThat(Printable.of("a\nb\u202ec\u2028\u0000é")).isEqualTo("a\\u000ab\\u202ec\\u2028\\u0000é");
	}

	@Test
	void aProblemOfAnAnnotationIsOnOneLine() {
		assertThat(new InvalidDistributedLockException("Job.work()", "name", "\"a\r\nb\" has a colon", null))
			.hasMessage("@DistributedLock on Job.work(), attribute 'name': \"a\\u000d\\u000ab\" has a colon");
	}

	@Test
	void aBlankKeyOfATemplateIsShownOnOneLine() {
		LockTemplate template = new LockTemplate(Mockito.mock(LockClient.class));
		assertThatIllegalArgumentException().isThrownBy(() -> template.execute("\n", (lock) -> "ran"))
			.withMessage("key is \"\\u000a\"; a lock's key must not be blank");
	}

}
