/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.io.Serializable;

/**
 * A document that a parcel needs before it leaves, such as its invoice or its label.
 *
 * @param parcel the parcel's number
 * @param kind what the document is
 */
public record Document(String parcel, String kind) implements Serializable {

}
