/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import io.github.dynamodblock.samples.guardeddynamodb.Order;
import io.github.dynamodblock.samples.guardeddynamodb.Orders;
import io.github.dynamodblock.samples.ordersapi.Item;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * A node with orders in DynamoDB: the service of the sample guarded-dynamodb, on the web
 * like the sample orders-api, with that sample's responses to exceptions.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@ComponentScan(basePackageClasses = OrdersApiApplication.class, useDefaultFilters = false,
		includeFilters = @Filter(RestControllerAdvice.class))
@Import(Orders.class)
public class DynamoDbNode {

	@RestController
	@RequestMapping("/orders")
	static class OrderController {

		private final Orders orders;

		OrderController(Orders orders) {
			this.orders = orders;
		}

		@GetMapping("/{id}")
		Order find(@PathVariable String id) {
			return this.orders.find(id);
		}

		@PostMapping("/{id}/items")
		Order addItem(@PathVariable String id, @RequestBody Item item) throws InterruptedException {
			return this.orders.addItem(id, item.cents());
		}

	}

}
