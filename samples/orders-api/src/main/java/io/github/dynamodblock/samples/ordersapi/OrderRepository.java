/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

interface OrderRepository extends CrudRepository<Order, Long> {

	/**
	 * Stores the token of a lock, unless the order has a greater one.
	 * @return 0 if there is no such order, or if it has a greater token
	 */
	@Modifying
	@Query("""
			update Order o set o.fencingToken = :token
			where o.id = :id and o.fencingToken <= :token
			""")
	int storeToken(long id, long token);

}
