/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

/**
 * What may become of a call on its way.
 */
public enum CallFault {

	/** Nothing: it is carried out, and its answer comes. */
	NONE,

	/** The connection breaks before the request is carried out. */
	REQUEST_LOST,

	/** The request is carried out, and the connection breaks before the answer comes. */
	ANSWER_LOST,

	/** The request is carried out, and the connection breaks within the answer. */
	ANSWER_CUT,

	/** The request takes seconds to arrive, when its sender may have given it up. */
	REQUEST_LATE,

	/** The request arrives twice, the second time up to seconds later. */
	REQUEST_TWICE,

	/** The request is refused, because too many of them came. */
	THROTTLED,

	/** The request is carried out, and answered with an error of the service. */
	SERVER_ERROR

}
