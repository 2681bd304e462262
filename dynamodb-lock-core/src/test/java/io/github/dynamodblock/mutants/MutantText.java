/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads the description of a mutant: lines of the form {@code name: value}, and after
 * each {@code file:} the changes of that file. A change is a paragraph whose lines begin
 * as in a diff: with a minus what goes, with a plus what comes, with a blank what stays.
 */
final class MutantText {

	private static final List<String> NAMES = List.of("rule", "mutant", "unseen", "tests");

	private final String name;

	private final String text;

	private final Map<String, String> values = new HashMap<>();

	private final List<Edit> edits = new ArrayList<>();

	private final StringBuilder before = new StringBuilder();

	private final StringBuilder after = new StringBuilder();

	private @Nullable String file;

	MutantText(String name, String text) {
		this.name = name;
		this.text = text;
	}

	Mutant parse() {
		this.text.lines().forEach(this::read);
		endEdit();
		if (this.edits.isEmpty()) {
			throw wrong("it changes nothing");
		}
		String tests = this.values.getOrDefault("tests", "");
		if (tests.isEmpty() && this.values.containsKey("unseen")) {
			throw wrong("the simulation cannot see it, so it needs 'tests:'");
		}
		return new Mutant(this.name, value("rule"), value("mutant"), this.values.get("unseen"),
				tests.isEmpty() ? List.of() : List.of(tests.split(", *")), List.copyOf(this.edits));
	}

	private void read(String line) {
		if (line.isEmpty()) {
			endEdit();
			return;
		}
		String rest = line.substring(1) + "\n";
		switch (line.charAt(0)) {
			case '-' -> this.before.append(rest);
			case '+' -> this.after.append(rest);
			case ' ' -> {
				this.before.append(rest);
				this.after.append(rest);
			}
			default -> readValue(line);
		}
	}

	private void readValue(String line) {
		String[] parts = line.split(": +", 2);
		if (parts.length == 2 && parts[0].equals("file")) {
			endEdit();
			this.file = parts[1];
		}
		else if (parts.length < 2 || !NAMES.contains(parts[0]) || this.values.put(parts[0], parts[1]) != null) {
			throw wrong("the line '" + line + "' is none of 'file: ...' and, once each, " + NAMES);
		}
	}

	private void endEdit() {
		if (this.before.isEmpty() && this.after.isEmpty()) {
			return;
		}
		if (this.file == null || this.before.isEmpty() || this.before.compareTo(this.after) == 0) {
			throw wrong("a change needs a 'file:' before it, lines that it finds there, and others instead");
		}
		this.edits.add(new Edit(this.file, this.before.toString(), this.after.toString()));
		this.before.setLength(0);
		this.after.setLength(0);
	}

	private String value(String which) {
		String value = this.values.get(which);
		if (value == null) {
			throw wrong("the line '" + which + ": ...' is missing");
		}
		return value;
	}

	private IllegalArgumentException wrong(String what) {
		return new IllegalArgumentException("Mutant " + this.name + " cannot be read: " + what);
	}

}
