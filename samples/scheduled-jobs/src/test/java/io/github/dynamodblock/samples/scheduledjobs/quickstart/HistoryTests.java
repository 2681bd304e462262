/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event.What;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.at;
import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.cutShort;
import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HistoryTests {

	private final History history = new History();

	@Test
	void beginAndEndMakeASection() {
		this.history.add(new Event(at(1), "node-1", What.WAITS, "a", 0));
		this.history.add(new Event(at(2), "node-1", What.BEGINS, "a", 7));
		this.history.add(new Event(at(3), "node-1", What.ENDS, "a", 7));

		assertThat(this.history.sections()).containsExactly(section("a", "node-1", 7, 2, 3));
	}

	@Test
	void overlapOfTwoNodesIsKeptAsItWasWritten() {
		this.history.add(new Event(at(2), "node-1", What.BEGINS, "a", 7));
		this.history.add(new Event(at(2.5), "node-2", What.BEGINS, "a", 8));
		this.history.add(new Event(at(3), "node-1", What.ENDS, "a", 7));
		this.history.add(new Event(at(4), "node-2", What.ENDS, "a", 8));

		assertThat(this.history.sections()).containsExactly(section("a", "node-1", 7, 2, 3),
				section("a", "node-2", 8, 2.5, 4));
	}

	@Test
	void sectionsOfANodeThatDiesEndWithIt() {
		this.history.add(new Event(at(1), "node-1", What.BEGINS, "a", 7));
		this.history.add(new Event(at(2), "node-1", What.BEGINS, "b", 8));
		this.history.add(new Event(at(2), "node-2", What.BEGINS, "c", 9));

		assertThat(this.history.nodeEnded("node-1", at(3))).containsExactly(cutShort("a", "node-1", 7, 1, 3),
				cutShort("b", "node-1", 8, 2, 3));
		assertThat(this.history.sections()).hasSize(2);
	}

	@Test
	void sectionIsOpenUntilItEnds() {
		this.history.add(new Event(at(1), "node-1", What.BEGINS, "a", 7));

		assertThat(this.history.sections()).isEmpty();
	}

	@Test
	void secondBeginOfOneNodeIsRefused() {
		this.history.add(new Event(at(1), "node-1", What.BEGINS, "a", 7));

		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.add(new Event(at(2), "node-1", What.BEGINS, "a", 8)))
			.withMessageContaining("node-1 began a");
	}

	@Test
	void endWithoutBeginIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.add(new Event(at(1), "node-1", What.ENDS, "a", 7)))
			.withMessageContaining("node-1 ended a");
	}

	@Test
	void endWithAnotherTokenIsRefused() {
		this.history.add(new Event(at(1), "node-1", What.BEGINS, "a", 7));

		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.add(new Event(at(2), "node-1", What.ENDS, "a", 8)))
			.withMessageContaining("token 8");
	}

}
