/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.io.IOException;
import java.net.InetAddress;

import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Connects this node with the ledger.
 */
@Configuration(proxyBeanMethods = false)
class LedgerConfiguration {

	@Bean
	LedgerClient ledgerClient(@Value("${dynamodb-lock.owner-name}") String node, @Value("${ledger.port}") int port)
			throws IOException {
		return LedgerClient.connect(InetAddress.getLoopbackAddress(), port, node);
	}

}
