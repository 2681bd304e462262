/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package example;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Application {

	private final LockClient locks;

	public Application(LockClient locks) {
		this.locks = locks;
	}

	public static void main(String[] args) {
		try (var context = SpringApplication.run(Application.class, args)) {
			System.out.println(context.getBean(Application.class).order("42"));
		}
	}

	@DistributedLock(name = "orders", key = "#id")
	public String order(String id) {
		boolean held = this.locks.find("orders:" + id).filter((lock) -> !lock.isReleased()).isPresent();
		return held ? "ran under the lock orders:" + id : "ran without a lock";
	}

}
