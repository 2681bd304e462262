/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A pause of a process: its threads execute nothing, while its clocks and those of other
 * processes go on. A garbage collection, a busy host or a suspended machine do the same
 * to a process.
 */
final class ProcessPause implements AutoCloseable {

	/**
	 * A shell that stops the process, and resumes it at the end of its own input. That
	 * comes as well if this process dies, so that no stopped process is left behind.
	 */
	private static final String SHELL = "trap '' INT HUP TERM; kill -STOP \"$1\" || exit; "
			+ "echo stopped; read -r line; kill -CONT \"$1\"";

	private final Process shell;

	private ProcessPause(Process shell) {
		this.shell = shell;
	}

	/**
	 * Pauses a process.
	 * @param pid the process's number
	 * @return the pause; closing it resumes the process
	 * @throws IOException if the process cannot be stopped
	 */
	static ProcessPause of(long pid) throws IOException {
		Process shell = new ProcessBuilder("sh", "-c", SHELL, "sh", Long.toString(pid)).redirectErrorStream(true)
			.start();
		ProcessPause pause = new ProcessPause(shell);
		BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
		String answer = output.readLine();
		if (!"stopped".equals(answer)) {
			pause.close();
			throw new IOException("Process " + pid + " cannot be stopped: kill -STOP printed \"" + answer + "\"");
		}
		return pause;
	}

	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			System.err.println("The shell that paused a process has gone: " + ex);
		}
		this.shell.onExit().join();
	}

}
