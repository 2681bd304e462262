/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronTrigger;

/**
 * Schedules a job by the cron expression that an item of a table has at each time.
 */
public class TableSchedule implements SchedulingConfigurer {

	/** The table of schedules. */
	public static final String TABLE = "schedules";

	/** The table's key, which is the name of a job. */
	public static final String KEY = "job";

	/** The attribute that holds the cron expression. */
	public static final String CRON = "cron";

	private static final Logger logger = LoggerFactory.getLogger(TableSchedule.class);

	private final DynamoDbClient dynamoDb;

	private final LockedJobs jobs;

	private final TableJob job;

	/** By this, Spring makes the next call. */
	private volatile String cron = TableJob.SHORT_CRON;

	TableSchedule(@Value("${aws.endpointUrl}") String dynamoDb, LockedJobs jobs, TableJob job) {
		// The client of the locks does not exist without them.
		this.dynamoDb = DynamoDbLocal.client(dynamoDb);
		this.jobs = jobs;
		this.job = job;
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar registrar) {
		registrar.addTriggerTask(() -> this.jobs.tick(JobSchedule.cron(this.cron, ZoneOffset.UTC), this.job::run),
				(context) -> {
					this.cron = findCron(this.cron);
					return new CronTrigger(this.cron, ZoneOffset.UTC).nextExecution(context);
				});
	}

	/** If this threw, Spring would plan no further call. */
	private String findCron(String before) {
		try {
			AttributeValue found = this.dynamoDb
				.getItem((get) -> get.tableName(TABLE)
					.key(Map.of(KEY, AttributeValue.fromS(TableJob.NAME)))
					.consistentRead(true))
				.item()
				.get(CRON);
			return Objects.requireNonNull(found, "the trial has not written the schedule").s();
		}
		catch (RuntimeException ex) {
			logger.warn("The schedule was not found", ex);
			return before;
		}
	}

}
