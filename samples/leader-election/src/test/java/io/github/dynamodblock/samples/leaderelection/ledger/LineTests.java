/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.ledger;

import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LineTests {

	@Test
	void lineIsReadAsItWasWritten() {
		Line line = new Line("node-1", What.WORK, 1795279676307906L, 12, "-");

		assertThat(Line.parse(line.toText())).isEqualTo(line);
	}

	@Test
	void textThatIsNoLineIsRefusedWithWhatIsExpected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Line.parse("node-1 WORK 7"))
			.withMessage("Not a line: \"node-1 WORK 7\"; expected \"<node> <what> <token> <read> <detail>\"");
		assertThatIllegalArgumentException().isThrownBy(() -> Line.parse("node-1 PLAY 7 0 -"))
			.withMessageStartingWith("Not a line: \"node-1 PLAY 7 0 -\": ");
	}

	@Test
	void nameOfSeveralWordsIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Line("node 1", What.READY, 0, 0, "-"))
			.withMessage("The node of a line is one word, not \"node 1\"");
	}

}
