/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

/**
 * One change of a source file.
 *
 * @param file the file, below the root package's directory
 * @param before whole lines, which the file has once and no more
 * @param after what replaces them
 */
record Edit(String file, String before, String after) {

	/**
	 * The source with this change.
	 * @param source the source
	 * @return the changed source
	 * @throws IllegalStateException unless there is exactly one place to change
	 */
	String apply(String source) {
		String lines = "\n" + source;
		String wanted = "\n" + this.before;
		int first = lines.indexOf(wanted);
		if (first < 0 || first != lines.lastIndexOf(wanted)) {
			throw new IllegalStateException(
					this.file + " has these lines " + ((first < 0) ? "nowhere" : "several times")
							+ ", but they must be there exactly once:\n" + this.before);
		}
		return lines.substring(1, first + 1) + this.after + lines.substring(first + wanted.length());
	}

}
