/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What can be seen of the mutants without running them, so that they do not rot between
 * two campaigns.
 */
class MutantsTests {

	private static final String HEAD = "rule: a rule\nmutant: another\n";

	static Stream<Mutant> mutants() throws IOException {
		return Mutant.all(Mutant.CORE).stream();
	}

	static Stream<Mutant> mutantsOfJobs() throws IOException {
		return Mutant.all(Mutant.STARTER).stream();
	}

	@ParameterizedTest
	@MethodSource("mutants")
	void everyMutantFitsTheSourcesAndCompiles(Mutant mutant, @TempDir Path directory) throws IOException {
		assertThat(MutantCompiler.compile(mutant, directory)).isNotEmptyDirectory();
	}

	/** Their campaign compiles them: this module does not know Spring. */
	@ParameterizedTest
	@MethodSource("mutantsOfJobs")
	void everyMutantOfJobsFitsTheSources(Mutant mutant) throws IOException {
		assertThat(mutant.sources(Mutant.STARTER)).isNotEmpty();
	}

	@Test
	void everyMutantHasItsLineInTheDocumentation() throws IOException {
		List<String> lines = Files.readAllLines(Path.of("..", "verification", "mutants.md"));
		List<String> documented = lines.stream()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.substring(3, line.indexOf('`', 3)))
			.toList();
		assertThat(documented)
			.containsExactlyElementsOf(Stream.concat(mutants(), mutantsOfJobs()).map(Mutant::name).toList());
	}

	@Test
	void anEditNeedsExactlyOnePlace() {
		Edit edit = new Edit("A.java", "two\n", "three\nfour\n");
		assertThat(edit.apply("one\ntwo\nthree\n")).isEqualTo("one\nthree\nfour\nthree\n");
		assertThat(edit.apply("two\n")).isEqualTo("three\nfour\n");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> edit.apply("one\n two\n"))
			.withMessageContaining("nowhere");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> edit.apply("two\ntwo\n"))
			.withMessageContaining("several times");
	}

	@Test
	void aDescriptionIsReadAsItStands() {
		Mutant mutant = new MutantText("some", HEAD + """
				tests: protocol.SomeTests, store.OtherTests

				file: protocol/A.java
				-	one
				+	two
				 	three

				-	four
				+

				file: B.java
				 five
				+six
				""").parse();
		assertThat(mutant)
			.isEqualTo(new Mutant("some", "a rule", "another", null, List.of("protocol.SomeTests", "store.OtherTests"),
					List.of(new Edit("protocol/A.java", "\tone\n\tthree\n", "\ttwo\n\tthree\n"),
							new Edit("protocol/A.java", "\tfour\n", "\n"),
							new Edit("B.java", "five\n", "five\nsix\n"))));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mutant: no rule\nfile: A.java\n-a\n+b\n", HEAD, HEAD + "-a\n+b\n",
			HEAD + "file: A.java\n+b\n", HEAD + "file: A.java\n a\n", HEAD + "rules: several\nfile: A.java\n-a\n+b\n",
			HEAD + "rule: again\nfile: A.java\n-a\n+b\n", HEAD + "unseen: for some reason\nfile: A.java\n-a\n+b\n" })
	void whatCannotBeReadIsRefused(String text) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new MutantText("some", text).parse())
			.withMessageStartingWith("Mutant some cannot be read: ");
	}

	@Test
	void aMutantThatDoesNotCompileIsAnError(@TempDir Path directory) throws IOException {
		Mutant mutant = new Mutant("some", "a rule", "another", null, List.of(), List.of(new Edit("protocol/Nanos.java",
				"public final class Nanos {\n", "public final class Nanos implements Foo {\n")));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> MutantCompiler.compile(mutant, directory))
			.withMessageContaining("does not compile")
			.withMessageContaining("Foo");
	}

	@Test
	void aVerdictNamesTheCheckAndNotTheCase() {
		assertThat(new Verdict(7, "two valid holders: c1.1 a and c2.2 b", List.of()).check())
			.isEqualTo("two valid holders");
		assertThat(new Verdict(7, "a lock was taken that c1.12 holds validly: x", List.of()).check())
			.isEqualTo("a lock was taken that a client holds validly");
		assertThat(new Verdict(7, "lock lock-0 is not free in the end", List.of()).check())
			.isEqualTo("a lock is not free in the end");
		assertThat(new Verdict(7, "c1.1 told a caller PT0.5S too late", List.of()).check())
			.isEqualTo("a client told a caller some time too late");
	}

}
