/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

/**
 * Who holds a lock: one instance of an owner. The instance's id works as a password of
 * its locks, so that it is neither stored nor logged; its fingerprint is.
 *
 * @param owner the owner
 * @param instanceId the instance's id
 */
public record Holder(String owner, String instanceId) {

	/**
	 * What stands for the instance where its id must not.
	 * @return the fingerprint of its id
	 */
	public String instanceFingerprint() {
		return Fingerprint.of(this.instanceId);
	}

	/**
	 * The holder, without what only it may know.
	 */
	@Override
	public String toString() {
		return "Holder[owner=" + this.owner + ", instance=" + instanceFingerprint() + "]";
	}

}
