/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A process that stands still: its threads run no statement, while its clocks and the
 * clocks of others go on. A garbage collection, a busy host or a suspended machine do the
 * same to a process.
 */
final class ProcessPause implements AutoCloseable {

	/**
	 * A shell that stops the process, and lets it go on at the end of its own input. That
	 * comes also if this process dies, so that none stays behind that cannot end.
	 */
	private static final String SHELL = "trap '' INT HUP TERM; kill -STOP \"$1\" || exit; "
			+ "echo stopped; read -r line; kill -CONT \"$1\"";

	private final Process shell;

	private ProcessPause(Process shell) {
		this.shell = shell;
	}

	/**
	 * Stops a process.
	 * @param pid the number of the process
	 * @return to be closed when it is to go on
	 * @throws IOException if it cannot be stopped
	 */
	static ProcessPause of(long pid) throws IOException {
		Process shell = new ProcessBuilder("sh", "-c", SHELL, "sh", Long.toString(pid)).redirectErrorStream(true)
			.start();
		ProcessPause pause = new ProcessPause(shell);
		BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
		String answer = output.readLine();
		if (!"stopped".equals(answer)) {
			pause.close();
			throw new IOException("Process " + pid + " cannot be stopped: kill -STOP says \"" + answer + "\"");
		}
		return pause;
	}

	/**
	 * Lets the process go on.
	 */
	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			System.err.println("The shell that stopped a process has gone: " + ex);
		}
		this.shell.onExit().join();
	}

}
