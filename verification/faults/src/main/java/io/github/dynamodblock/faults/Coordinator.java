/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.RemoteHistory;
import io.github.dynamodblock.faults.checker.RemoteResources;
import io.github.dynamodblock.faults.checker.Resources;

/**
 * Where workers report, and find what the locks guard: objects of this process that they
 * call on the loopback address.
 */
public final class Coordinator implements AutoCloseable {

	private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

	private static final int BACKLOG = 200;

	private final History history;

	private final Resources resources;

	private final RemoteHistory remoteHistory;

	private final RemoteResources remoteResources;

	/**
	 * Begins to listen.
	 * @param history where reports go
	 * @param locks how many locks there are
	 * @throws RemoteException if there is no port
	 */
	public Coordinator(History history, int locks) throws RemoteException {
		System.setProperty("java.rmi.server.hostname", LOOPBACK.getHostAddress());
		this.history = history;
		this.resources = new Resources(locks, history, System::nanoTime);
		this.remoteHistory = (RemoteHistory) export(this.history);
		this.remoteResources = (RemoteResources) export(this.resources);
	}

	private static Remote export(Remote object) throws RemoteException {
		return UnicastRemoteObject.exportObject(object, 0, null, (port) -> new ServerSocket(port, BACKLOG, LOOPBACK));
	}

	/** The history, for workers. */
	public RemoteHistory history() {
		return this.remoteHistory;
	}

	/** What the locks guard, for workers. */
	public RemoteResources resources() {
		return this.remoteResources;
	}

	@Override
	public void close() throws NoSuchObjectException {
		UnicastRemoteObject.unexportObject(this.history, true);
		UnicastRemoteObject.unexportObject(this.resources, true);
	}

}
