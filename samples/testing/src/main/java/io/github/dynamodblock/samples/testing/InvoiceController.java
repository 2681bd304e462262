/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.LockNotGrantedException;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class InvoiceController {

	private final Invoices invoices;

	InvoiceController(Invoices invoices) {
		this.invoices = invoices;
	}

	@PostMapping("/orders/{orderId}/invoice")
	String write(@PathVariable String orderId) {
		return this.invoices.write(orderId);
	}

	@ExceptionHandler
	@ResponseStatus(HttpStatus.CONFLICT)
	void handle(LockNotGrantedException busy) {
	}

}
