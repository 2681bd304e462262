/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * What workers report to the {@link History}. Each call returns when the history has the
 * report, so that the reports of a thread keep their order.
 */
public interface RemoteHistory extends Remote {

	/** Something happened that is only counted. */
	void count(String what) throws RemoteException;

	void granted(Grant grant) throws RemoteException;

	/** The lock client said that the lock was held, when asked between these times. */
	void seenHeld(String grant, long from, long to) throws RemoteException;

	/** A holder is about to release its lock. */
	void releasing(String grant) throws RemoteException;

	void ended(String grant, Hold.Ending ending) throws RemoteException;

	/** A holder was notified of a loss, perhaps before its grant is known here. */
	void lost(Loss loss) throws RemoteException;

	/** A holder saw, by asking, that it had lost the lock. */
	void lossSeen(String grant, long at) throws RemoteException;

	/** A worker sent an update of the guarded counter, and knows its outcome or not. */
	void guardedWrite(GuardedWrite write) throws RemoteException;

	/** Adds what was found without a look at the whole history. */
	void found(Rule rule, String text) throws RemoteException;

}
