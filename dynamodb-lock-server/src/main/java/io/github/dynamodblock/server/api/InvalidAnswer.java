/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

/**
 * The body of an answer to an invalid request.
 *
 * @param message which part of the request does
 * @param details everything that is wrong with it
 */
record InvalidAnswer(String message, List<String> details) {

}
