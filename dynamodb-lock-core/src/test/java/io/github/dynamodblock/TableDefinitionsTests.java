/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.testing.RepositoryFiles;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the definitions of {@code docs/aws-setup.md}, {@code docs/regions.md} and
 * {@code samples/deploy} with the table that {@link LockTable} creates.
 */
class TableDefinitionsTests {

	private static final String TABLE = "docs/aws-setup.md";

	private static final String REGIONS = "docs/regions.md";

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

	/** The words of Terraform and CDK, and what DynamoDB calls them. */
	private static final Map<String, String> WORDS = Map.of("hash", "HASH", "range", "RANGE", "partition", "HASH",
			"sort", "RANGE", "STRING", "S", "NUMBER", "N", "BINARY", "B", "onDemand", "PAY_PER_REQUEST");

	private static final String WITNESS = "eu-west-3";

	private final DynamoDbClient dynamoDb = TestDynamoDb.client();

	static Stream<String> terraform() throws IOException {
		return Stream.of(code(TABLE, "hcl", "resource \"aws_dynamodb_table\""),
				part("terraform/main.tf", "(?ms)^(resource \"aws_dynamodb_table\" .*?^}\\n)"));
	}

	static Stream<String> cloudFormation() throws IOException {
		return Stream.of(code(TABLE, "yaml", "Resources:"),
				part("lambda/template.yaml", "(?ms)^(  Locks:\\n    Type: AWS::DynamoDB::Table\\n.*)"));
	}

	@ParameterizedTest
	@MethodSource("terraform")
	void terraformDefinesTheTableThatLockTableCreates(String code) {
		assertThat(new Definition(only(code, "(?m)^  name += \"(.+)\"$"),
				pairs(code, " name += \"(?<name>.+)\"\\n +type += \"(?<value>.+)\""),
				pairs(code, " (?<value>hash|range)_key += \"(?<name>.+)\""), only(code, "billing_mode += \"(.+)\""),
				only(code, " ttl \\{\\n +attribute_name += \"(.+)\"\\n +enabled += true\\n")))
			.isEqualTo(created());
		assertThat(only(code, "deletion_protection_enabled += (.+)")).isEqualTo("true");
	}

	@ParameterizedTest
	@MethodSource("cloudFormation")
	void cloudFormationDefinesTheTableThatLockTableCreates(String code) {
		assertThat(new Definition(only(code, " TableName: (.+)"),
				pairs(code, "- AttributeName: (?<name>.+)\\n +AttributeType: (?<value>.+)"),
				pairs(code, "- AttributeName: (?<name>.+)\\n +KeyType: (?<value>.+)"), only(code, " BillingMode: (.+)"),
				only(code, " TimeToLiveSpecification:\\n +AttributeName: (.+)\\n +Enabled: true\\n")))
			.isEqualTo(created());
		assertThat(only(code, " DeletionProtectionEnabled: (.+)")).isEqualTo("true");
	}

	@Test
	void cdkDefinesTheTableThatLockTableCreates() throws IOException {
		String code = code(TABLE, "java", "Table.Builder");
		String attribute = "Key\\(Attribute\\.builder\\(\\)\\.name\\(\"(?<name>\\w+)\"\\)\\.type\\(AttributeType\\.";
		assertThat(new Definition(only(code, "\\.tableName\\(\"(.+)\"\\)"),
				pairs(code, attribute + "(?<value>\\w+)\\)\\.build\\(\\)\\)"),
				pairs(code, "\\.(?<value>partition|sort)" + attribute),
				only(code, "\\.billingMode\\(BillingMode\\.(\\w+)\\)"),
				only(code, "\\.timeToLiveAttribute\\(\"(.+)\"\\)")))
			.isEqualTo(created());
		assertThat(only(code, "\\.deletionProtection\\((.+)\\)")).isEqualTo("true");
	}

	@Test
	void terraformDefinesTheSameTableAcrossRegions() throws IOException {
		String code = code(REGIONS, "hcl", "resource \"aws_dynamodb_table\"");
		assertThat(new Definition(only(code, "(?m)^  name += \"(.+)\"$"),
				pairs(code, " name += \"(?<name>.+)\"\n +type += \"(?<value>.+)\""),
				pairs(code, " (?<value>hash|range)_key += \"(?<name>.+)\""), only(code, "billing_mode += \"(.+)\""),
				""))
			.isEqualTo(acrossRegions());
		assertThat(all(code, "(?m)^  deletion_protection_enabled += (.+)$")).containsExactly("true");
		assertThat(all(code,
				" replica \\{\n +region_name += \"(.+)\"\n +consistency_mode += \"STRONG\"\n"
						+ " +deletion_protection_enabled = true\n +}"))
			.as("beside the replica in the provider's region")
			.containsExactly("eu-central-1");
		assertThat(only(code, " global_table_witness \\{\n +region_name = \"(.+)\"\n +}")).isEqualTo(WITNESS);
		assertThat(code).doesNotContain("ttl", "stream_");
	}

	@Test
	void cloudFormationDefinesTheSameTableAcrossRegions() throws IOException {
		String code = code(REGIONS, "yaml", "Resources:");
		assertThat(code).contains("Type: AWS::DynamoDB::GlobalTable\n", " MultiRegionConsistency: STRONG\n")
			.doesNotContain("TimeToLive", "Stream");
		assertThat(new Definition(only(code, " TableName: (.+)"),
				pairs(code, "\\{ AttributeName: (?<name>.+), AttributeType: (?<value>.+) }"),
				pairs(code, "\\{ AttributeName: (?<name>.+), KeyType: (?<value>.+) }"),
				only(code, " BillingMode: (.+)"), ""))
			.isEqualTo(acrossRegions());
		assertThat(all(code, "- \\{ Region: (.+), DeletionProtectionEnabled: true }"))
			.as("with the replica in the stack's region")
			.containsExactly("eu-west-1", "eu-central-1");
		assertThat(only(code, " GlobalTableWitnesses: \\[\\{ Region: (.+) }]")).isEqualTo(WITNESS);
	}

	@Test
	void cdkDefinesTheSameTableAcrossRegions() throws IOException {
		String code = code(REGIONS, "java", "TableV2.Builder");
		String attribute = "Key\\(Attribute\\.builder\\(\\)\\.name\\(\"(?<name>\\w+)\"\\)\\.type\\(AttributeType\\.";
		assertThat(new Definition(only(code, "\\.tableName\\(\"(.+)\"\\)"),
				pairs(code, attribute + "(?<value>\\w+)\\)\\.build\\(\\)\\)"),
				pairs(code, "\\.(?<value>partition|sort)" + attribute),
				WORDS.getOrDefault(only(code, "\\.billing\\(Billing\\.(\\w+)\\(\\)\\)"), ""), ""))
			.isEqualTo(acrossRegions());
		assertThat(only(code, "\\.multiRegionConsistency\\(MultiRegionConsistency\\.(\\w+)\\)")).isEqualTo("STRONG");
		assertThat(all(code, "ReplicaTableProps\\.builder\\(\\)\\.region\\(\"(.+?)\"\\)"))
			.as("beside the replica in the stack's region")
			.containsExactly("eu-central-1");
		assertThat(only(code, "\\.witnessRegion\\(\"(.+)\"\\)")).isEqualTo(WITNESS);
		assertThat(only(code, "\\.deletionProtection\\((.+)\\)")).isEqualTo("true");
		assertThat(code).doesNotContain("timeToLive", "Stream");
	}

	/** Without the time to live, which such a table does not have. */
	private Definition acrossRegions() {
		Definition created = created();
		return new Definition(created.tableName(), created.attributes(), created.key(), created.billingMode(), "");
	}

	@Test
	void propertiesHaveTheNamesOfTheTableThatLockTableCreates() throws IOException {
		String code = code(TABLE, "yaml", "dynamodb-lock:");
		Definition created = created();
		assertThat(pairs(code, "(?m)^    (?<name>[\\w-]+): (?<value>.+)$"))
			.isEqualTo(Map.of("name", created.tableName(), "create", "never", "partition-key-name",
					created.partitionKeyName(), "time-to-live-attribute-name", created.timeToLiveAttributeName()));
	}

	/**
	 * The table that LockTable creates, but with the name that clients use by default.
	 */
	private Definition created() {
		String name = TestDynamoDb.newTableName();
		LockTable.of(this.dynamoDb, name).createIfMissing();
		TableDescription table = this.dynamoDb.describeTable((request) -> request.tableName(name)).table();
		return new Definition(defaultTableName(),
				table.attributeDefinitions()
					.stream()
					.collect(Collectors.toMap(AttributeDefinition::attributeName,
							AttributeDefinition::attributeTypeAsString)),
				table.keySchema()
					.stream()
					.collect(Collectors.toMap(KeySchemaElement::attributeName, KeySchemaElement::keyTypeAsString)),
				table.billingModeSummary().billingModeAsString(),
				this.dynamoDb.describeTimeToLive((request) -> request.tableName(name))
					.timeToLiveDescription()
					.attributeName());
	}

	private String defaultTableName() {
		try (LockClient client = LockClient.builder(this.dynamoDb).build()) {
			return client.tableName();
		}
	}

	private static String code(String page, String language, String begin) throws IOException {
		List<String> blocks = BLOCK.matcher(Files.readString(RepositoryFiles.root().resolve(page)))
			.results()
			.filter((block) -> block.group(1).equals(language) && block.group(2).startsWith(begin))
			.map((block) -> block.group(2))
			.toList();
		assertThat(blocks).as("examples in %s that begin with %s", language, begin).hasSize(1);
		return blocks.get(0);
	}

	private static String part(String file, String pattern) throws IOException {
		return only(Files.readString(RepositoryFiles.root().resolve("samples/deploy").resolve(file)), pattern);
	}

	private static String only(String code, String pattern) {
		List<String> found = all(code, pattern);
		assertThat(found).as("%s in:%n%s", pattern, code).hasSize(1);
		return found.get(0);
	}

	private static List<String> all(String code, String pattern) {
		return Pattern.compile(pattern).matcher(code).results().map((found) -> found.group(1)).toList();
	}

	/** Values by names; fails if a name occurs twice. */
	private static Map<String, String> pairs(String code, String pattern) {
		// JDK 17's MatchResult has no named groups.
		int name = (pattern.indexOf("(?<name>") < pattern.indexOf("(?<value>")) ? 1 : 2;
		return Pattern.compile(pattern)
			.matcher(code)
			.results()
			.collect(Collectors.toMap((found) -> found.group(name),
					(found) -> WORDS.getOrDefault(found.group(3 - name), found.group(3 - name))));
	}

	/**
	 * A table.
	 *
	 * @param tableName its name
	 * @param attributes the types of the declared attributes by their names
	 * @param key the roles of the key's attributes by their names
	 * @param billingMode its billing mode
	 * @param timeToLiveAttributeName the attribute of its time to live
	 */
	private record Definition(String tableName, Map<String, String> attributes, Map<String, String> key,
			String billingMode, String timeToLiveAttributeName) {

		String partitionKeyName() {
			return this.key.keySet().iterator().next();
		}

	}

}
