/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A {@link DistributedLock} or {@link ScheduledLock} annotation that cannot work as it is
 * written, or cannot take effect where it stands, or several of them. Thrown when the
 * application starts, or when a bean is created later. The message says what is wrong,
 * where, and what would be right.
 */
public class InvalidDistributedLockException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String location;

	private final @Nullable String attribute;

	private final InvalidDistributedLockException[] problems;

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
		super("Lock annotation on " + location + ((attribute != null) ? ", attribute '" + attribute + "': " : ": ")
				+ LogText.of(problem), cause);
		this.location = location;
		this.attribute = attribute;
		this.problems = new InvalidDistributedLockException[0];
	}

	private InvalidDistributedLockException(List<InvalidDistributedLockException> problems) {
		super(problems.stream()
			.map(Throwable::getMessage)
			.collect(Collectors.joining("\n- ", problems.size() + " lock annotations cannot work:\n- ", "")),
				problems.get(0));
		this.location = problems.get(0).location;
		this.attribute = problems.get(0).attribute;
		this.problems = problems.toArray(InvalidDistributedLockException[]::new);
	}

	/**
	 * Makes one exception of what is wrong with several annotations.
	 * @param problems what is wrong with each; not empty
	 * @return the only one, or one whose message has a line for each and whose location
	 * and attribute are those of the first
	 */
	public static InvalidDistributedLockException of(List<InvalidDistributedLockException> problems) {
		Assert.notEmpty(problems, "There must be a problem");
		return (problems.size() == 1) ? problems.get(0) : new InvalidDistributedLockException(problems);
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

	/**
	 * What is wrong, annotation by annotation.
	 * @return an exception for each; this one, if it is about one annotation
	 */
	public List<InvalidDistributedLockException> problems() {
		return (this.problems.length == 0) ? List.of(this) : List.of(this.problems);
	}

}
