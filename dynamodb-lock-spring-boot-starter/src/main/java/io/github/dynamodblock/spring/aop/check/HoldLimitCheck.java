/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * No method holds its lock for longer than its lock client allows. The client would
 * refuse every call.
 */
final class HoldLimitCheck implements AnnotatedMethodCheck {

	private final Function<@Nullable String, Optional<HoldLimit>> limits;

	HoldLimitCheck(Function<@Nullable String, Optional<HoldLimit>> limits) {
		this.limits = limits;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.holdAtMost() != null) {
			return;
		}
		Duration holdAtLeast = definition.holdAtLeast();
		this.limits.apply(definition.lockClient())
			.filter((limit) -> holdAtLeast.compareTo(limit.holdAtMost()) > 0)
			.ifPresent((limit) -> {
				throw new InvalidDistributedLockException(definition.location(), "holdAtLeast",
						"it is " + text(holdAtLeast) + ", but " + limit.property() + " is " + text(limit.holdAtMost())
								+ ", so that every call would fail. Set the property or the attribute 'holdAtMost' to "
								+ "at least " + text(holdAtLeast) + ", or give a shorter holdAtLeast",
						null);
			});
	}

	/** As properties and annotations give it, in the largest unit that is exact. */
	private static String text(Duration duration) {
		return Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS, ChronoUnit.MILLIS)
			.filter((unit) -> duration.toNanos() % unit.getDuration().toNanos() == 0)
			.findFirst()
			.map((unit) -> DurationStyle.SIMPLE.print(duration, unit))
			.orElseGet(duration::toString);
	}

}
