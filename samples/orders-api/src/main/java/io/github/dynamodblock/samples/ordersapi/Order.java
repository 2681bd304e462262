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

@Entity
@Table(name = "orders")
class Order {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private Long id;

	private int items;

	private long totalCents;

	/** The greatest token of a lock under which this order was changed. */
	private long fencingToken;

	void add(Item item) {
		this.items++;
		this.totalCents += item.cents();
	}

	Long getId() {
		return this.id;
	}

	int getItems() {
		return this.items;
	}

	long getTotalCents() {
		return this.totalCents;
	}

}
