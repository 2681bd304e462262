/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

/**
 * A call of a method on {@code this}, as a class file shows it.
 *
 * @param callerClass the class that has the call
 * @param caller the name of the method that has the call; that of the surrounding method
 * for a lambda's
 * @param callerSignature its name and descriptor
 * @param calleeSignature the name and the descriptor of what is called
 */
record SelfInvocation(String callerClass, String caller, String callerSignature, String calleeSignature) {
}
