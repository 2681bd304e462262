/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * An order. It has no {@code @Version}: of two transactions that read the same state and
 * change it, the second overwrites what the first has written.
 */
@Entity
@Table(name = "orders")
public class Order {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	private int items;

	private long totalCents;

	/**
	 * Makes an empty order.
	 */
	public Order() {
	}

	/**
	 * Makes an order that is stored elsewhere.
	 */
	Order(long id, int items, long totalCents) {
		this.id = id;
		this.items = items;
		this.totalCents = totalCents;
	}

	/**
	 * Adds an item.
	 * @param cents what it costs
	 */
	public void add(long cents) {
		this.items++;
		this.totalCents += cents;
	}

	/**
	 * The order's number.
	 * @return the number, or {@code null} before it is stored
	 */
	public @Nullable Long getId() {
		return this.id;
	}

	/**
	 * How many items were added.
	 * @return the number of items
	 */
	public int getItems() {
		return this.items;
	}

	/**
	 * What the items cost together.
	 * @return the sum in cents
	 */
	public long getTotalCents() {
		return this.totalCents;
	}

}
