/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.io.File;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * The work at the ends of both flows.
 */
@Service
public class Warehouse {

	private static final Logger logger = LoggerFactory.getLogger(Warehouse.class);

	/**
	 * Ships a parcel whose documents are complete.
	 */
	public void ship(List<Document> documents) {
		logger.info("Shipping parcel {} with {}", documents.get(0).parcel(),
				documents.stream().map(Document::kind).sorted().toList());
	}

	/**
	 * Adds the goods of a delivery note to the stock.
	 */
	public void receive(File deliveryNote) {
		logger.info("Receiving the goods of {}", deliveryNote.getName());
	}

}
