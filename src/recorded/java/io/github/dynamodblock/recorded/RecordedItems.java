/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.recorded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The recorded items of a module, as DynamoDB JSON in
 * {@code src/test/resources/recorded/VERSION/KIND.json}. A version's items are written
 * once, with {@code -Drecorded.write=VERSION}, and never change after its release.
 */
public final class RecordedItems {

	private static final Path FOLDER = Path.of("src", "test", "resources", "recorded").toAbsolutePath();

	private static final String JSON = ".json";

	private RecordedItems() {
	}

	/**
	 * Reads the items of all versions.
	 * @return the items, the oldest version's first
	 * @throws IOException if the files cannot be read
	 */
	public static List<RecordedItem> all() throws IOException {
		try (Stream<Path> files = Files.walk(FOLDER)) {
			List<Path> paths = files.filter((file) -> file.toString().endsWith(JSON)).sorted().toList();
			return paths.stream().map(RecordedItems::read).sorted(Comparator.comparing(RecordedItem::number)).toList();
		}
	}

	/**
	 * Reads the items of the newest version, which this version must write.
	 * @return the items
	 * @throws IOException if the files cannot be read
	 */
	public static List<RecordedItem> newest() throws IOException {
		List<RecordedItem> all = all();
		String newest = all.get(all.size() - 1).version();
		return all.stream().filter((item) -> item.version().equals(newest)).toList();
	}

	/**
	 * Compares an item that was just written with the newest version's item of its kind,
	 * or records it: both must have the same attributes with the same types.
	 * @param kind the kind
	 * @param item the item
	 * @throws IOException if the files cannot be read or written
	 */
	public static void compare(String kind, Map<String, AttributeValue> item) throws IOException {
		if (item.isEmpty()) {
			throw new AssertionError("There is no item of the kind " + kind);
		}
		String version = System.getProperty("recorded.write");
		if (version != null) {
			Path file = FOLDER.resolve(version).resolve(kind + JSON);
			Files.createDirectories(file.getParent());
			Files.writeString(file, json(item));
			return;
		}
		RecordedItem recorded = newest().stream()
			.filter((each) -> each.kind().equals(kind))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No item of the kind " + kind + " is recorded"));
		String expected = shape(recorded.item());
		String actual = shape(item);
		if (!expected.equals(actual)) {
			throw new AssertionError("The item format has changed. An item of the kind '" + kind + "' has "
					+ differences(recorded.item(), item) + ". Version " + recorded.version() + " recorded " + expected
					+ ", and this one writes " + actual
					+ ". If that is intended, see \"The item format\" in ARCHITECTURE.md, and "
					+ "record the new version's items with -Drecorded.write=VERSION");
		}
	}

	private static String differences(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
		Map<String, String> differences = new TreeMap<>();
		before.forEach((name, value) -> differences.put(name, "lost " + name));
		after.forEach((name, value) -> {
			AttributeValue old = before.get(name);
			if (old == null) {
				differences.put(name, "the new attribute " + name);
			}
			else if (old.type() == value.type()) {
				differences.remove(name);
			}
			else {
				differences.put(name, name + " as " + value.type() + " in place of " + old.type());
			}
		});
		return String.join(", ", differences.values());
	}

	/** The names and types of an item's attributes. */
	private static String shape(Map<String, AttributeValue> item) {
		return new TreeMap<>(item).entrySet()
			.stream()
			.map((each) -> each.getKey() + " " + each.getValue().type())
			.collect(Collectors.joining(", ", "[", "]"));
	}

	private static RecordedItem read(Path file) {
		try {
			JsonNode json = JsonNode.parser().parse(Files.readString(file));
			String name = file.getFileName().toString();
			return new RecordedItem(Objects.requireNonNull(file.getParent()).getFileName().toString(),
					name.substring(0, name.length() - JSON.length()), members(json));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + file, ex);
		}
	}

	private static Map<String, AttributeValue> members(JsonNode json) {
		Map<String, AttributeValue> members = new HashMap<>();
		json.asObject().forEach((name, value) -> members.put(name, value(value)));
		return members;
	}

	private static AttributeValue value(JsonNode json) {
		Map.Entry<String, JsonNode> typed = json.asObject().entrySet().iterator().next();
		JsonNode content = typed.getValue();
		return switch (typed.getKey()) {
			case "S" -> AttributeValue.fromS(content.asString());
			case "N" -> AttributeValue.fromN(content.asString());
			case "B" -> AttributeValue
				.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(content.asString())));
			case "BOOL" -> AttributeValue.fromBool(content.asBoolean());
			case "L" -> AttributeValue.fromL(content.asArray().stream().map(RecordedItems::value).toList());
			case "M" -> AttributeValue.fromM(members(content));
			default -> throw new IllegalArgumentException("No recorded item has the type " + typed.getKey());
		};
	}

	private static String json(Map<String, AttributeValue> item) {
		return new TreeMap<>(item).entrySet()
			.stream()
			.map((each) -> "  " + quoted(each.getKey()) + ": " + json(each.getValue()))
			.collect(Collectors.joining(",\n", "{\n", "\n}\n"));
	}

	private static String json(AttributeValue value) {
		String content = switch (value.type()) {
			case S -> quoted(value.s());
			case N -> quoted(value.n());
			case B -> quoted(Base64.getEncoder().encodeToString(value.b().asByteArray()));
			case BOOL -> value.bool().toString();
			case L -> value.l().stream().map(RecordedItems::json).collect(Collectors.joining(", ", "[", "]"));
			default -> throw new IllegalArgumentException("No recorded item has the type " + value.type());
		};
		return "{ \"" + value.type() + "\": " + content + " }";
	}

	private static String quoted(@Nullable String text) {
		String escaped = String.valueOf(text).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
		return '"' + escaped + '"';
	}

	/**
	 * Runs an action with each item, and names the item in a failure.
	 * @param items the items
	 * @param action the action
	 */
	public static void forEach(List<RecordedItem> items, Consumer<RecordedItem> action) {
		for (RecordedItem item : items) {
			try {
				action.accept(item);
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError(item + ": " + ex.getMessage(), ex);
			}
		}
	}

	/**
	 * An item that a version wrote.
	 *
	 * @param version the version
	 * @param kind what kind of item it is
	 * @param item its attributes
	 */
	public record RecordedItem(String version, String kind, Map<String, AttributeValue> item) {

		/** Returns the version in a form that sorts, for up to three digits a part. */
		String number() {
			return Stream.of(this.version.split("\\."))
				.map((part) -> "000".substring(Math.min(3, part.length())) + part)
				.collect(Collectors.joining("."));
		}

		@Override
		public String toString() {
			return this.version + " " + this.kind;
		}

	}

}
