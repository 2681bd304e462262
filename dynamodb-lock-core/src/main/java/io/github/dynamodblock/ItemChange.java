/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

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

	/** DynamoDB's limit for an expression. */
	private static final int MOST_ATTRIBUTES = 100;

	private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

	private static final ItemChange NONE = new ItemChange(false, null, Map.of());

	private final boolean changesData;

	private final byte @Nullable [] data;

	/** What happens to each attribute that the change names. */
	private final Map<String, Action> actions;

	private ItemChange(boolean changesData, byte @Nullable [] data, Map<String, Action> actions) {
		this.changesData = changesData;
		this.data = data;
		this.actions = actions;
	}

	/**
	 * {@return the change that keeps everything}
	 */
	public static ItemChange none() {
		return NONE;
	}

	/**
	 * Replaces the data. An item above 1 KB costs more than one write unit at every
	 * acquisition, heartbeat and release. The bytes are copied.
	 */
	public ItemChange data(byte[] data) {
		return new ItemChange(true, data.clone(), this.actions);
	}

	/** Removes the data. */
	public ItemChange removeData() {
		return new ItemChange(true, null, this.actions);
	}

	/** Sets an attribute and keeps the others. */
	public ItemChange attribute(String name, AttributeValue value) {
		checkAttribute(name, value);
		return with(Map.of(name, new NewValue(value)));
	}

	/**
	 * Sets attributes and keeps the others.
	 * @param attributes values by their names, copied
	 */
	public ItemChange attributes(Map<String, AttributeValue> attributes) {
		Map<String, Action> set = new LinkedHashMap<>();
		attributes.forEach((name, value) -> {
			checkAttribute(name, value);
			set.put(name, new NewValue(value));
		});
		return with(set);
	}

	/**
	 * Sets an attribute to the value that another attribute has before the write, and
	 * keeps the others. Only acquisitions and releases can copy, since other writes may
	 * be repeated. If DynamoDB answers an acquisition so late that the lock has to be
	 * claimed again, an acquisition that copies fails instead. A copy counts as two named
	 * attributes.
	 * @param from the name of the attribute to read; its value before this change is
	 * copied
	 * @param to the name of the attribute to set
	 * @param ifMissing the value to set if the item does not have the attribute to read
	 */
	public ItemChange copy(String from, String to, AttributeValue ifMissing) {
		checkName(from);
		checkAttribute(to, ifMissing);
		return with(Map.of(to, new Copy(from, ifMissing)));
	}

	/** Removes attributes. Attributes that the item does not have are ignored. */
	public ItemChange removeAttributes(String... names) {
		Map<String, Action> removed = new LinkedHashMap<>();
		for (String name : names) {
			checkName(name);
			removed.put(name, Removal.REMOVAL);
		}
		return with(removed);
	}

	/** Replaces what this change does to the given attributes. */
	private ItemChange with(Map<String, Action> others) {
		Map<String, Action> all = new LinkedHashMap<>(this.actions);
		all.putAll(others);
		int named = all.values().stream().mapToInt((action) -> (action instanceof Copy) ? 2 : 1).sum();
		if (named > MOST_ATTRIBUTES) {
			throw new IllegalArgumentException(
					"The change uses " + named + " attributes of a lock's item; one write allows at most "
							+ MOST_ATTRIBUTES + ". Combine them in one attribute of type M, or store them in the data");
		}
		return new ItemChange(this.changesData, this.data, all);
	}

	/**
	 * Combines this change with a later one.
	 * @param next the later change, which takes precedence
	 */
	public ItemChange then(ItemChange next) {
		if (next.isNone() || isNone()) {
			return next.isNone() ? this : next;
		}
		Map<String, Action> later = new LinkedHashMap<>();
		next.actions.forEach((name, action) -> later.put(name, afterThis(action)));
		ItemChange both = with(later);
		return next.changesData ? new ItemChange(true, next.data, both.actions) : both;
	}

	/**
	 * If the later change copies an attribute that this change names, the copy uses the
	 * result of this change.
	 */
	private Action afterThis(Action action) {
		if (!(action instanceof Copy copy)) {
			return action;
		}
		Action source = this.actions.getOrDefault(copy.from(), copy);
		return (source instanceof Removal) ? new NewValue(copy.ifMissing()) : source;
	}

	/**
	 * {@return whether this change keeps everything}
	 */
	public boolean isNone() {
		return !this.changesData && this.actions.isEmpty();
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
		return actions(NewValue.class, NewValue::value);
	}

	/**
	 * {@return the copies, by the names of the attributes that they set, unmodifiable}
	 */
	public Map<String, Copy> copies() {
		return actions(Copy.class, Function.identity());
	}

	/**
	 * {@return the names of the attributes that are removed, unmodifiable}
	 */
	public Set<String> removedAttributes() {
		return actions(Removal.class, Function.identity()).keySet();
	}

	private <A extends Action, T> Map<String, T> actions(Class<A> kind, Function<A, T> value) {
		if (this.actions.isEmpty()) {
			return Map.of();
		}
		Map<String, T> found = new LinkedHashMap<>();
		this.actions.forEach((name, action) -> {
			if (kind.isInstance(action)) {
				found.put(name, value.apply(kind.cast(action)));
			}
		});
		return Collections.unmodifiableMap(found);
	}

	static void checkAttribute(String name, AttributeValue value) {
		checkName(name);
		if (Objects.requireNonNull(value, name).type() == AttributeValue.Type.UNKNOWN_TO_SDK_VERSION) {
			throw new IllegalArgumentException("Attribute '" + name
					+ "' of a lock's item has a value without a type; create it with AttributeValue.fromS or a similar method");
		}
		if (value.n() != null && !NUMBER.matcher(value.n()).matches()) {
			throw new IllegalArgumentException("Attribute '" + name + "' of a lock's item has the invalid number '"
					+ value.n() + "'; use digits, optionally with a sign, a fraction and an exponent");
		}
	}

	static void checkName(String name) {
		if (Objects.requireNonNull(name, "name").isEmpty() || name.length() > 255) {
			throw new IllegalArgumentException(
					"An attribute of a lock's item is named '" + name + "'; a name must have 1 to 255 characters");
		}
	}

	/** Returns a description without data and values. */
	@Override
	public String toString() {
		String dataChange = (this.data != null) ? this.data.length + " bytes" : "removed";
		return "ItemChange[data=" + (this.changesData ? dataChange : "kept") + ", set=" + attributes().keySet()
				+ (copies().isEmpty() ? "" : ", copied=" + copies().keySet()) + ", removed=" + removedAttributes()
				+ "]";
	}

	/** What a change does to one attribute. */
	private sealed interface Action {

	}

	private record NewValue(AttributeValue value) implements Action {
	}

	private enum Removal implements Action {

		REMOVAL

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
	public record Copy(String from, AttributeValue ifMissing) implements Action {
	}

}
