/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;

import org.jspecify.annotations.Nullable;

/**
 * What the locks guard, as workers use it: two counters for each lock, of which one
 * refuses stale tokens.
 */
public interface RemoteResources extends Remote {

	/**
	 * Announces an owner: no write of an earlier one is accepted any more.
	 * @param lock the lock
	 * @param token the owner's token
	 * @return whether there was no later owner
	 */
	boolean claim(int lock, long token) throws RemoteException;

	Values read(int lock) throws RemoteException;

	/**
	 * Writes the successors of the values that were read: to the counter that refuses
	 * stale tokens if there is a token, to the other one if that is wanted.
	 * @param lock the lock
	 * @param grant under which grant
	 * @param token its token, or {@code null} if the lock client gives none
	 * @param plain whether the counter without fencing is written
	 * @param read what was read
	 * @param looked whether the writer looked right before whether it held the lock
	 * @return whether the counter that refuses stale tokens was written
	 */
	boolean increment(int lock, String grant, @Nullable Long token, boolean plain, Values read, boolean looked)
			throws RemoteException;

	/**
	 * What was read.
	 *
	 * @param fenced the counter that refuses stale tokens
	 * @param plain the other
	 * @param at when
	 */
	record Values(long fenced, long plain, long at) implements Serializable {
	}

}
