/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page of the documentation with parts that tests write: with
 * {@code -Dreference.write=true} they do, otherwise they fail where the page differs.
 */
public final class ReferencePage {

	private static final boolean WRITE = Boolean.getBoolean("reference.write");

	private final Path file;

	private ReferencePage(Path file) {
		this.file = file;
	}

	public static ReferencePage of(String name) {
		return new ReferencePage(Path.of("..", "docs", name));
	}

	/**
	 * Compares the part between two comments, or writes it.
	 * @param part the name of the part, as the comments have it
	 * @param expected the text between them
	 */
	public void has(String part, String expected) {
		String begin = "<!-- begin " + part + " -->\n";
		String end = "<!-- end " + part + " -->";
		// Tests of one page may run beside each other.
		synchronized (ReferencePage.class) {
			String page = text();
			assertThat(page).as("comments around the part in " + this.file).contains(begin, end);
			int from = page.indexOf(begin) + begin.length();
			int to = page.indexOf(end, from);
			if (WRITE) {
				write(page.substring(0, from) + expected + "\n" + page.substring(to));
				return;
			}
			assertThat(page.substring(from, to)).as("%s in %s; -Dreference.write=true rewrites it", part, this.file)
				.isEqualTo(expected + "\n");
		}
	}

	public String text() {
		try {
			return Files.readString(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(String page) {
		try {
			Files.writeString(this.file, page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
