/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.ParentProcess;
import org.h2.tools.Server;

/**
 * The nodes' database: H2 in a separate process, on a free port of the loopback interface
 * and in that process's memory.
 */
public final class OrderDatabase implements OrderStore {

	private static final String USER = "sa";

	private static final String PASSWORD = "";

	private static final String LOCAL_URL = "jdbc:h2:mem:orders;INIT=RUNSCRIPT FROM 'classpath:schema.sql'";

	private final String url;

	/**
	 * Creates a store.
	 * @param url where the database is
	 */
	OrderDatabase(String url) {
		this.url = url;
	}

	/**
	 * Runs H2 until the parent process ends it.
	 * @throws SQLException if H2 does not start
	 */
	public static void main(String[] args) throws IOException, SQLException {
		System.setProperty("h2.bindAddress", "127.0.0.1");
		// The database lives as long as this connection.
		try (Connection connection = DriverManager.getConnection(LOCAL_URL, USER, PASSWORD)) {
			Server server = Server.createTcpServer("-tcpPort", "0").start();
			// A statement waits longer for a row than others need it on a slow machine.
			ParentProcess.serve("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:orders;LOCK_TIMEOUT=60000");
			server.stop();
		}
		System.exit(0);
	}

	@Override
	public List<Class<?>> sources() {
		return List.of(OrdersApiApplication.class, ObservedOrders.class, Warehouse.class);
	}

	@Override
	public List<String> properties() {
		return List.of("--spring.datasource.url=" + this.url, "--spring.datasource.username=" + USER);
	}

	@Override
	public long openOrder(NodeClient node) throws IOException, InterruptedException, DemoFailedException {
		return node.openOrder();
	}

	@Override
	public Stored read() throws DemoFailedException {
		Map<Long, Stored.State> orders = new TreeMap<>();
		try (Connection connection = DriverManager.getConnection(this.url, USER, PASSWORD);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select id, items, total_cents from orders")) {
			while (rows.next()) {
				orders.put(rows.getLong(1), new Stored.State(rows.getInt(2), rows.getLong(3)));
			}
		}
		catch (SQLException ex) {
			throw new DemoFailedException("the database cannot be read: " + ex);
		}
		return new Stored("database", orders);
	}

}
