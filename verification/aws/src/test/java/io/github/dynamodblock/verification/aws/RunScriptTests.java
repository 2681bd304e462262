/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the script refuses before it builds anything. */
class RunScriptTests {

	@Test
	void withoutATerminalConsentMustBeAnOption() throws IOException, InterruptedException {
		assertRefused("This asks before it creates or deletes tables, and there is no terminal.", "--region",
				"eu-central-1");
		assertRefused("This asks before it creates or deletes tables, and there is no terminal.", "--endpoint",
				"http://127.0.0.1:8000", "--clean-up");
	}

	@Test
	void eitherARegionOrAnEndpointMustBeNamed() throws IOException, InterruptedException {
		assertRefused("Name a Region with --region, or use --endpoint local", "--yes");
		assertRefused("--region is for AWS, and --endpoint for DynamoDB Local", "--region", "eu-central-1",
				"--endpoint", "local");
	}

	@Test
	void wrongRegionEndpointRoleAndReportAreRefused() throws IOException, InterruptedException {
		assertRefused("--region needs the code of a Region, such as eu-central-1, not \"mars\"", "--region", "mars");
		assertRefused("--region needs the code of a Region", "--region");
		assertRefused("--endpoint needs \"local\" or the address of a DynamoDB Local", "--endpoint", "127.0.0.1:8000");
		assertRefused("--endpoint is for DynamoDB Local. For AWS, use --region", "--endpoint",
				"https://dynamodb.eu-central-1.amazonaws.com");
		assertRefused("--assume-role needs the ARN of a role", "--assume-role", "locks");
		assertRefused("--assume-role is for AWS", "--endpoint", "local", "--assume-role",
				"arn:aws:iam::111122223333:role/locks");
		assertRefused("--report needs a file in a folder that exists", "--report", "no/such/folder/report.md");
		assertRefused("--clean-up has nothing to delete with --endpoint local", "--endpoint", "local", "--clean-up");
		assertRefused("Unknown option --force", "--force");
	}

	private static void assertRefused(String why, String... options) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("bash", "run"));
		command.addAll(List.of(options));
		Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
		run.getOutputStream().close();
		String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

		assertThat(run.waitFor()).isEqualTo(AwsRun.STATUS_NOT_RUN);
		assertThat(output).startsWith(why);
	}

}
