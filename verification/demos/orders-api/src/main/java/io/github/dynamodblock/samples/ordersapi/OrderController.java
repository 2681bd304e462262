/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The orders on the web.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	private final Orders orders;

	OrderController(Orders orders) {
		this.orders = orders;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Order open() {
		return this.orders.open();
	}

	@GetMapping("/{id}")
	Order find(@PathVariable long id) {
		return this.orders.find(id);
	}

	@PostMapping("/{id}/items")
	Receipt addItem(@PathVariable long id, @RequestBody Item item) throws InterruptedException {
		return this.orders.addItem(id, item);
	}

}
