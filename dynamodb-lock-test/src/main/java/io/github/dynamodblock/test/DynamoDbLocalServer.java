/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * Runs an {@link EmbeddedDynamoDb} in a separate process, until the process is stopped.
 * <pre>
 * java -cp ... io.github.dynamodblock.test.DynamoDbLocalServer --port 8000
 * </pre> When it serves, it prints one line that ends with its address:
 * {@code DynamoDB Local is ready at http://127.0.0.1:8000}. It exits with status 1 if it
 * does not start, and with 2 if its options are invalid. On JDK 24 and later,
 * {@code --enable-native-access=ALL-UNNAMED} avoids a warning.
 */
public final class DynamoDbLocalServer {

	private static final String USAGE = """
			Usage: DynamoDbLocalServer [--port N] [--directory D]
			  --port N       the port on 127.0.0.1; 0, the default, takes any free one
			  --directory D  keeps the tables in files in directory D, which must exist; a
			                 later server with this directory finds them again. By default,
			                 the tables are in memory
			  --help         prints this
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
		Options options;
		try {
			options = Options.of(arguments);
		}
		catch (IllegalArgumentException ex) {
			err.println(ex.getMessage());
			err.print(USAGE);
			return 2;
		}
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(options.port, options.directory)) {
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

	private record Options(int port, @Nullable Path directory) {

		static Options of(String[] arguments) {
			Options options = new Options(0, null);
			for (int at = 0; at < arguments.length; at += 2) {
				boolean hasValue = at + 1 < arguments.length;
				if (hasValue && arguments[at].equals("--port")) {
					options = new Options(checkedPort(arguments[at + 1]), options.directory);
				}
				else if (hasValue && arguments[at].equals("--directory")) {
					options = new Options(options.port, checkedDirectory(arguments[at + 1]));
				}
				else {
					throw new IllegalArgumentException("Unknown options: " + String.join(" ", arguments));
				}
			}
			return options;
		}

		private static int checkedPort(String port) {
			if (!port.matches("\\d{1,5}") || Integer.parseInt(port) > 65535) {
				throw new IllegalArgumentException("--port is " + port + ", expected 0 to 65535");
			}
			return Integer.parseInt(port);
		}

		private static Path checkedDirectory(String directory) {
			Path path = Path.of(directory);
			if (!Files.isDirectory(path)) {
				throw new IllegalArgumentException("--directory is " + directory + ", expected an existing directory");
			}
			return path;
		}

	}

}
