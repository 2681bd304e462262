/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Describes how a call changes the application's part of a lock's item: its data and its
 * attributes. Everything that a change does not name is kept. Immutable and thread-safe.
 *
 * <p>
 * Methods throw {@link IllegalArgumentException} if the name of an attribute is empty or
 * longer than 255 characters, a value has no type, or the change names more than 100
 * attributes. A change that names an attribute of the lock itself is rejected with that
 * exception when it is used, before anything is sent.
 *
 * <pre>{@code
 * ItemChange change = ItemChange.none()
 *     .data("step 2 of 5".getBytes(StandardCharsets.UTF_8))
 *     .attribute("host", AttributeValue.fromS("node-1"))
 *     .removeAttributes("error");
 * lock.renew(RenewRequest.create().change(change));
 * }</pre>
 */
public final class ItemChange {

	/** The limit of an expression of DynamoDB. */
	private static final int MOST_ATTRIBUTES = 100;

	private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

	private static final ItemChange NONE = new ItemChange(false, null, Map.of(), Map.of(), Set.of(), false);

	private final boolean changesData;

	private final byte @Nullable [] data;

	private final Map<String, AttributeValue> attributes;

	private final Map<String, Copy> copies;

	private final Set<String> removed;

	/** Whether attributes that are not named are removed. */
	private final boolean replaces;

	private ItemChange(boolean changesData, byte @Nullable [] data, Map<String, AttributeValue> attributes,
			Map<String, Copy> copies, Set<String> removed, boolean replaces) {
		this.changesData = changesData;
		this.data = data;
		this.attributes = Collections.unmodifiableMap(attributes);
		this.copies = Collections.unmodifiableMap(copies);
		this.removed = Collections.unmodifiableSet(removed);
		this.replaces = replaces;
	}

	/**
	 * {@return the change that keeps everything}
	 */
	public static ItemChange none() {
		return NONE;
	}

	/**
	 * Replaces the data. An item above 1 KB costs more than one write unit at every
	 * acquisition, heartbeat and release.
	 * @param data the bytes, copied
	 * @return this change with the new data
	 */
	public ItemChange data(byte[] data) {
		return new ItemChange(true, data.clone(), this.attributes, this.copies, this.removed, this.replaces);
	}

	/**
	 * Removes the data.
	 * @return this change with the data removed
	 */
	public ItemChange removeData() {
		return new ItemChange(true, null, this.attributes, this.copies, this.removed, this.replaces);
	}

	/**
	 * Sets an attribute and keeps the others.
	 * @param name the name
	 * @param value the value
	 * @return this change with the attribute set
	 */
	public ItemChange attribute(String name, AttributeValue value) {
		checkAttribute(name, value);
		return attributes(Map.of(name, value));
	}

	/**
	 * Sets attributes and keeps the others.
	 * @param attributes values by their names, copied
	 * @return this change with the attributes set
	 * @throws IllegalArgumentException if a name is empty or longer than 255 characters,
	 * a value has no type, or the change names more than 100 attributes
	 */
	public ItemChange attributes(Map<String, AttributeValue> attributes) {
		attributes.forEach(ItemChange::checkAttribute);
		return with(attributes, Map.of(), Set.of());
	}

	/**
	 * Sets an attribute to the value that another attribute has before the write, and
	 * keeps the others. Only acquisitions and releases can copy, since other writes may
	 * be repeated. An acquisition that copies and whose grant comes too late fails, and
	 * one that is {@linkplain LockRequest#idempotentFor idempotent} for an owner may copy
	 * more than once.
	 * @param from the name of the attribute to read; what the change does to it has no
	 * effect on the copy
	 * @param to the name of the attribute to set
	 * @param ifMissing the value to set if the item does not have the attribute to read
	 * @return this change with the attribute copied, which counts as two named attributes
	 * @throws IllegalArgumentException also if this change replaces all attributes
	 */
	public ItemChange copy(String from, String to, AttributeValue ifMissing) {
		if (this.replaces) {
			throw new IllegalArgumentException("A change that replaces all attributes cannot copy '" + from + "'");
		}
		checkName(from);
		checkAttribute(to, ifMissing);
		return with(Map.of(), Map.of(to, new Copy(from, ifMissing)), Set.of());
	}

	/**
	 * Removes attributes. Attributes that the item does not have are ignored.
	 * @param names the names
	 * @return this change with the attributes removed
	 * @throws IllegalArgumentException if a name is empty or longer than 255 characters,
	 * or the change names more than 100 attributes
	 */
	public ItemChange removeAttributes(String... names) {
		// Names that a replacement removes may come from an item, where they can be
		// longer.
		Arrays.stream(names).forEach(this.replaces ? Objects::requireNonNull : ItemChange::checkName);
		return with(Map.of(), Map.of(), new LinkedHashSet<>(Arrays.asList(names)));
	}

	/** This change, which from now on does something else to some attributes. */
	private ItemChange with(Map<String, AttributeValue> set, Map<String, Copy> copied, Set<String> removed) {
		Map<String, AttributeValue> allSet = new LinkedHashMap<>(this.attributes);
		Map<String, Copy> allCopied = new LinkedHashMap<>(this.copies);
		Set<String> allRemoved = new LinkedHashSet<>(this.removed);
		Stream.of(set.keySet(), copied.keySet(), removed).forEach((names) -> {
			allSet.keySet().removeAll(names);
			allCopied.keySet().removeAll(names);
			allRemoved.removeAll(names);
		});
		allSet.putAll(set);
		allCopied.putAll(copied);
		allRemoved.addAll(removed);
		return new ItemChange(this.changesData, this.data, allSet, allCopied, allRemoved, this.replaces).fitting();
	}

	/**
	 * Replaces all attributes of the application. An acquisition needs a second write if
	 * the item has other attributes that the client has not read.
	 * @param attributes values by their names, copied; may be empty
	 * @return this change with these attributes and no others
	 * @throws IllegalArgumentException if a name is empty or longer than 255 characters,
	 * a value has no type, or the change names more than 100 attributes
	 */
	public ItemChange replaceAttributes(Map<String, AttributeValue> attributes) {
		return new ItemChange(this.changesData, this.data, Map.of(), Map.of(), Set.of(), true).attributes(attributes);
	}

	/**
	 * Combines this change with a later one.
	 * @param next the later change, which takes precedence
	 * @return a change with the effect of both
	 * @throws IllegalArgumentException if both together name more than 100 attributes
	 */
	public ItemChange then(ItemChange next) {
		if (isNone() || next.isNone()) {
			return isNone() ? next : this;
		}
		Map<String, AttributeValue> set = new LinkedHashMap<>(next.attributes);
		Map<String, Copy> copied = new LinkedHashMap<>();
		next.copies.forEach((to, copy) -> {
			String from = copy.from();
			if (this.replaces || this.attributes.containsKey(from) || this.removed.contains(from)) {
				set.put(to, this.attributes.getOrDefault(from, copy.ifMissing()));
			}
			else {
				copied.put(to, this.copies.getOrDefault(from, copy));
			}
		});
		ItemChange both = (next.replaces ? replaceAttributes(Map.of()) : this).with(set, copied, next.removed);
		return next.changesData
				? new ItemChange(true, next.data, both.attributes, both.copies, both.removed, both.replaces) : both;
	}

	/**
	 * {@return whether attributes that this change does not name are removed}
	 */
	public boolean replacesAttributes() {
		return this.replaces;
	}

	/**
	 * {@return whether this change keeps everything}
	 */
	public boolean isNone() {
		return !this.changesData && !this.replaces && this.attributes.isEmpty() && this.copies.isEmpty()
				&& this.removed.isEmpty();
	}

	/**
	 * {@return whether the data is replaced or removed}
	 */
	public boolean changesData() {
		return this.changesData;
	}

	/**
	 * {@return a copy of the new data. Empty if the data is kept or removed, which
	 * {@link #changesData()} distinguishes}
	 */
	public Optional<byte[]> data() {
		return (this.data == null) ? Optional.empty() : Optional.of(this.data.clone());
	}

	/**
	 * {@return the attributes that are set, by their names, unmodifiable}
	 */
	public Map<String, AttributeValue> attributes() {
		return this.attributes;
	}

	/**
	 * {@return the copies, by the names of the attributes that they set, unmodifiable}
	 */
	public Map<String, Copy> copies() {
		return this.copies;
	}

	/**
	 * {@return the names of the attributes that are removed, unmodifiable}
	 */
	public Set<String> removedAttributes() {
		return this.removed;
	}

	private ItemChange fitting() {
		int set = this.attributes.size() + 2 * this.copies.size();
		// A replacement removes all others by itself, whether they are named or not.
		int named = this.replaces ? Math.max(set, this.removed.size()) : set + this.removed.size();
		if (named > MOST_ATTRIBUTES) {
			throw new IllegalArgumentException("The change names " + named + " attributes of a lock's item; at most "
					+ MOST_ATTRIBUTES + " fit into one write. Put them into one attribute of type M, or into the data");
		}
		return this;
	}

	static void checkAttribute(String name, AttributeValue value) {
		checkName(name);
		if (Objects.requireNonNull(value, name).type() == AttributeValue.Type.UNKNOWN_TO_SDK_VERSION) {
			throw new IllegalArgumentException("Attribute '" + name
					+ "' of a lock's item has a value without a type; create it with AttributeValue.fromS or a similar method");
		}
		if (value.n() != null && !NUMBER.matcher(value.n()).matches()) {
			throw new IllegalArgumentException("Attribute '" + name + "' of a lock's item has '" + value.n()
					+ "' as a number; use digits, optionally with a sign, a fraction and an exponent");
		}
	}

	static void checkName(String name) {
		if (Objects.requireNonNull(name, "name").isEmpty() || name.length() > 255) {
			throw new IllegalArgumentException(
					"An attribute of a lock's item has the name '" + name + "'; it must have 1 to 255 characters");
		}
	}

	/**
	 * Returns a description without data and values.
	 */
	@Override
	public String toString() {
		String dataChange = (this.data != null) ? this.data.length + " bytes" : "removed";
		return "ItemChange[data=" + (this.changesData ? dataChange : "kept") + ", set=" + this.attributes.keySet()
				+ (this.copies.isEmpty() ? "" : ", copied=" + this.copies.keySet()) + ", removed=" + this.removed
				+ (this.replaces ? " and all others" : "") + "]";
	}

	/**
	 * Where the value of a copied attribute comes from.
	 *
	 * <pre>{@code
	 * ItemChange change = ItemChange.none().copy("step", "previousStep", AttributeValue.fromS("none"));
	 * String source = change.copies().get("previousStep").from();
	 * }</pre>
	 *
	 * @param from the name of the attribute whose value before the write is set
	 * @param ifMissing the value that is set if the item does not have that attribute
	 */
	public record Copy(String from, AttributeValue ifMissing) {
	}

}
