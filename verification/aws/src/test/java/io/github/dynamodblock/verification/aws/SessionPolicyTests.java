/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionPolicyTests {

	private static final String ARN = "arn:aws-us-gov:dynamodb:ap-southeast-2:111122223333:table/"
			+ new RunTables().name("policy");

	private final SessionPolicy policy = new SessionPolicy();

	@Test
	void policyIsTheDocumentedOneForTheTableOfTheRun() {
		assertThat(this.policy.of(ARN, List.of("Locks"))).isEqualTo("""
				{"Version":"2012-10-17","Statement":[{"Sid":"Locks","Effect":"Allow",\
				"Action":["dynamodb:GetItem","dynamodb:UpdateItem"],"Resource":"%s"}]}""".formatted(ARN));
		assertThat(this.policy.sids()).contains("Locks", "DeletedItems", "PartitionList", "TableList", "TableCheck",
				"TableCreation", "GuardedWrites");
	}

	@Test
	void wholePolicyNamesNoOtherTableAndIsShortEnoughForASession() {
		String whole = this.policy.of(ARN, this.policy.sids());

		assertThat(whole.length()).isLessThanOrEqualTo(SessionPolicy.LONGEST);
		assertThat(whole.split("\"Resource\":", -1)).hasSize(this.policy.sids().size() + 1)
			.filteredOn((part) -> part.startsWith("\"arn"))
			.allMatch((part) -> part.startsWith('"' + ARN + '"'));
	}

}
