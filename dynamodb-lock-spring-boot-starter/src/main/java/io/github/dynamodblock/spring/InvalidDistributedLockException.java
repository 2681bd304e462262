/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} annotation that cannot work as it is written, or cannot take
 * effect where it stands. Thrown when the application starts. The message says what is
 * wrong, where, and what would be right.
 */
public class InvalidDistributedLockException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String location;

	private final @Nullable String attribute;

	/**
	 * Describes what is wrong with one annotation.
	 * @param location the class and the method
	 * @param attribute the attribute of the annotation, or {@code null} if it is not
	 * about one
	 * @param problem what is wrong, and what would be right
	 * @param cause the cause, or {@code null}
	 */
	public InvalidDistributedLockException(String location, @Nullable String attribute, String problem,
			@Nullable Throwable cause) {
		super("@DistributedLock on " + location + ((attribute != null) ? ", attribute '" + attribute + "': " : ": ")
				+ problem, cause);
		this.location = location;
		this.attribute = attribute;
	}

	/**
	 * Where the annotation takes effect.
	 * @return the class and the method, such as
	 * {@code com.acme.OrderService.fulfil(Order)}
	 */
	public String location() {
		return this.location;
	}

	/**
	 * Which attribute of the annotation is wrong.
	 * @return its name, or empty if it is not about one
	 */
	public Optional<String> attribute() {
		return Optional.ofNullable(this.attribute);
	}

}
