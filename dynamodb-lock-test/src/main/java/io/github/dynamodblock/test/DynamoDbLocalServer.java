/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * Runs an {@link EmbeddedDynamoDb} in a process of its own, until the process is stopped.
 * <pre>
 * java -cp ... io.github.dynamodblock.test.DynamoDbLocalServer --port 8000
 * </pre> When it serves, it prints one line that ends with its address:
 * {@code DynamoDB Local is ready at http://127.0.0.1:8000}. It ends with status 1 if it
 * does not start, and with 2 if it does not understand its options. On JDK 24 and later
 * {@code --enable-native-access=ALL-UNNAMED} spares a warning.
 */
public final class DynamoDbLocalServer {

	private static final String USAGE = """
			Usage: DynamoDbLocalServer [--port N]
			  --port N   the port on 127.0.0.1; 0, the default, takes any free one
			  --help     prints this
			""";

	private DynamoDbLocalServer() {
	}

	/**
	 * Runs the server until the process is stopped.
	 * @param arguments see {@code --help}
	 * @throws InterruptedException if the main thread is interrupted
	 */
	public static void main(String[] arguments) throws InterruptedException {
		System.exit(run(arguments, System.out, System.err));
	}

	private static int run(String[] arguments, PrintStream out, PrintStream err) throws InterruptedException {
		if (arguments.length == 1 && arguments[0].equals("--help")) {
			out.print(USAGE);
			return 0;
		}
		int port;
		try {
			port = port(arguments);
		}
		catch (IllegalArgumentException ex) {
			err.println(ex.getMessage());
			err.print(USAGE);
			return 2;
		}
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(port)) {
			Runtime.getRuntime().addShutdownHook(new Thread(dynamoDb::close, "embedded-dynamodb-shutdown"));
			out.println("DynamoDB Local is ready at " + dynamoDb.endpoint());
			new CountDownLatch(1).await();
			return 0;
		}
		catch (IllegalStateException ex) {
			err.println(ex.getMessage());
			return 1;
		}
	}

	private static int port(String[] arguments) {
		if (arguments.length == 0) {
			return 0;
		}
		if (arguments.length != 2 || !arguments[0].equals("--port")) {
			throw new IllegalArgumentException("Unknown options: " + String.join(" ", arguments));
		}
		if (!arguments[1].matches("\\d{1,5}") || Integer.parseInt(arguments[1]) > 65535) {
			throw new IllegalArgumentException("--port is " + arguments[1] + ", expected 0 to 65535");
		}
		return Integer.parseInt(arguments[1]);
	}

}
