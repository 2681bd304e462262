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
 * Thrown at startup, or when a bean is created later, if {@link DistributedLock} or
 * {@link ScheduledLock} annotations are invalid or have no effect where they are placed.
 * The message names the location, the problem and the fix.
 */
public class InvalidDistributedLockException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String location;

	private final @Nullable String attribute;

	private final InvalidDistributedLockException[] problems;

	/**
	 * Describes what is wrong with one annotation.
	 * @param location the class and the method
	 * @param attribute the invalid attribute of the annotation, or {@code null} if there
	 * is none
	 * @param problem the problem and the fix
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
			.collect(Collectors.joining("\n- ", problems.size() + " lock annotations are invalid:\n- ", "")),
				problems.get(0));
		this.location = problems.get(0).location;
		this.attribute = problems.get(0).attribute;
		this.problems = problems.toArray(InvalidDistributedLockException[]::new);
	}

	/**
	 * Combines the problems of several annotations into one exception.
	 * @param problems one exception for each annotation; not empty
	 * @return the exception if there is only one. Otherwise, an exception whose message
	 * lists all problems, with the location and attribute of the first one.
	 */
	public static InvalidDistributedLockException of(List<InvalidDistributedLockException> problems) {
		Assert.notEmpty(problems, "problems must not be empty");
		return (problems.size() == 1) ? problems.get(0) : new InvalidDistributedLockException(problems);
	}

	/**
	 * Returns where the annotation applies.
	 * @return the class and the method, such as
	 * {@code com.acme.OrderService.fulfil(Order)}
	 */
	public String location() {
		return this.location;
	}

	/**
	 * Returns the invalid attribute of the annotation.
	 * @return the name, or empty if the problem is not about an attribute
	 */
	public Optional<String> attribute() {
		return Optional.ofNullable(this.attribute);
	}

	/**
	 * Returns the problems of each annotation.
	 * @return one exception for each invalid annotation; if there is only one, this
	 * exception
	 */
	public List<InvalidDistributedLockException> problems() {
		return (this.problems.length == 0) ? List.of(this) : List.of(this.problems);
	}

}
