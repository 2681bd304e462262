/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardedsql;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {

	@Id
	private String id;

	private long totalCents;

	/** The greatest token of a lock under which this order was changed. */
	private long fencingToken;

	void addItem(long cents) {
		this.totalCents += cents;
	}

	long getTotalCents() {
		return this.totalCents;
	}

}
