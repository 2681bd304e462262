/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether callers have to say who they are.
 *
 * @param disabled whether everybody may call, and all are one owner
 */
@ConfigurationProperties("authentication")
record AuthenticationProperties(@DefaultValue("false") boolean disabled) {

}
