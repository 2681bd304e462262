/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.guarding;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An entity that keeps the greatest fencing token, in a column that each transaction
 * checks first.
 */
class JpaGuardTests {

	private final EntityManagerFactory orders = new PersistenceConfiguration("orders").managedClass(GuardedOrder.class)
		.property("jakarta.persistence.jdbc.url", "jdbc:h2:mem:guarded-orders;DB_CLOSE_DELAY=-1")
		.property("jakarta.persistence.schema-generation.database.action", "drop-and-create")
		.createEntityManagerFactory();

	@BeforeEach
	void store() {
		this.orders.runInTransaction((entityManager) -> {
			GuardedOrder order = new GuardedOrder();
			order.id = "order-1";
			entityManager.persist(order);
		});
	}

	@AfterEach
	void close() {
		this.orders.close();
	}

	@Test
	void anEntityRefusesTheTransactionOfAFormerOwner() throws InterruptedException {
		try (TwoOwners owners = new TwoOwners()) {
			write("packed", owners.former());
			write("labelled", owners.former());
			write("sent", owners.next());

			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> write("lost", owners.former()));
			assertThat(this.orders
				.<String>callInTransaction((entityManager) -> entityManager.find(GuardedOrder.class, "order-1").state))
				.isEqualTo("sent");
		}
	}

	private void write(String state, HeldLock lock) {
		this.orders.runInTransaction((entityManager) -> write(entityManager, "order-1", state, lock));
	}

	private static void write(EntityManager entityManager, String id, String state, HeldLock lock) {
		int rows = entityManager.createQuery("""
				update GuardedOrder o set o.fencingToken = :token
				where o.id = :id and o.fencingToken <= :token
				""").setParameter("token", lock.fencingToken()).setParameter("id", id).executeUpdate();
		if (rows == 0) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
		// Read afterwards: the row is this transaction's until its end.
		entityManager.find(GuardedOrder.class, id).state = state;
	}

	/** An order with a column for the token. */
	@Entity(name = "GuardedOrder")
	static class GuardedOrder {

		@Id
		String id = "";

		String state = "new";

		long fencingToken;

	}

}
