/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the log line of a request says and its method, path and status do not show. Who
 * answers the request adds it; the line is written at the request's end. There is one of
 * these for each request. Thread-safe.
 */
public final class RequestFacts {

	private static final String ATTRIBUTE = RequestFacts.class.getName();

	private volatile @Nullable String owner;

	private volatile @Nullable String instanceFingerprint;

	private volatile @Nullable Long fencingToken;

	private volatile @Nullable Outcome outcome;

	private volatile @Nullable String errorId;

	private RequestFacts() {
	}

	/**
	 * The facts of a request.
	 * @param request the request
	 * @return its facts, the same at every call
	 */
	public static RequestFacts of(ServletRequest request) {
		if (request.getAttribute(ATTRIBUTE) instanceof RequestFacts facts) {
			return facts;
		}
		RequestFacts facts = new RequestFacts();
		request.setAttribute(ATTRIBUTE, facts);
		return facts;
	}

	/**
	 * In whose name the call is.
	 * @param value the owner
	 * @return this
	 */
	public RequestFacts owner(String value) {
		this.owner = value;
		return this;
	}

	@Nullable String owner() {
		return this.owner;
	}

	/**
	 * Which instance of the owner asks.
	 * @param value the fingerprint of the instance's id, never the id
	 * @return this
	 */
	public RequestFacts instanceFingerprint(String value) {
		this.instanceFingerprint = value;
		return this;
	}

	@Nullable String instanceFingerprint() {
		return this.instanceFingerprint;
	}

	/**
	 * The fencing token that the answer has.
	 * @param value the token
	 * @return this
	 */
	public RequestFacts fencingToken(long value) {
		this.fencingToken = value;
		return this;
	}

	@Nullable Long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * The outcome of the request, where operation and status do not show it.
	 * @param value the outcome
	 * @return this
	 */
	public RequestFacts outcome(Outcome value) {
		this.outcome = value;
		return this;
	}

	@Nullable Outcome outcome() {
		return this.outcome;
	}

	/**
	 * The id that the answer gives its error, so that the caller's report leads here.
	 * @param value the id
	 * @return this
	 */
	public RequestFacts errorId(String value) {
		this.errorId = value;
		return this;
	}

	@Nullable String errorId() {
		return this.errorId;
	}

}
