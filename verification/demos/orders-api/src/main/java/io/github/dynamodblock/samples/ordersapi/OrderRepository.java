/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.data.repository.CrudRepository;

/**
 * The stored orders.
 */
interface OrderRepository extends CrudRepository<Order, Long> {

}
