/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The DynamoDbClient bean that locks use: the application's, or else the one that was
 * made for them.
 *
 * @param beanName the bean's name
 * @param client the client
 */
record SelectedDynamoDbClient(String beanName, DynamoDbClient client) {

	/** The bean that is made when the application has none. */
	static final String OWN = "dynamoDbLockDynamoDbClient";

	/** The bean of dynamodb-lock-test. */
	static final String EMBEDDED = "embeddedDynamoDbClient";

	/**
	 * Selects the client.
	 * @param beanFactory the application's beans
	 * @param properties what is configured
	 * @return the client
	 * @throws IllegalStateException if there are several clients and none is primary
	 * @throws InvalidConfigurationPropertyValueException if a client is configured that
	 * would not be used
	 */
	static SelectedDynamoDbClient select(ConfigurableListableBeanFactory beanFactory,
			DynamoDbLockProperties properties) {
		if (beanFactory.containsBean(OWN)) {
			return new SelectedDynamoDbClient(OWN, beanFactory.getBean(OWN, DynamoDbClient.class));
		}
		NamedBeanHolder<DynamoDbClient> holder;
		try {
			holder = beanFactory.resolveNamedBean(DynamoDbClient.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IllegalStateException("There are several DynamoDbClient beans (" + String.join(", ", names(ex))
					+ "), and it is not clear which one locks are to use. Mark one with @Primary, or define a LockClient "
					+ "bean with the right one", ex);
		}
		SelectedDynamoDbClient selected = new SelectedDynamoDbClient(holder.getBeanName(), holder.getBeanInstance());
		if (!selected.isEmbedded()) {
			selected.refuse("client.region", properties.client().region());
			selected.refuse("client.endpoint", properties.client().endpoint());
		}
		return selected;
	}

	private static Iterable<String> names(NoUniqueBeanDefinitionException ex) {
		return (ex.getBeanNamesFound() != null) ? ex.getBeanNamesFound() : List.of();
	}

	private void refuse(String property, @Nullable Object value) {
		if (value != null) {
			throw new InvalidConfigurationPropertyValueException(PropertyValues.name(property), value,
					"It would have no effect, because the application's DynamoDbClient bean '" + this.beanName
							+ "' is used. Configure that bean, or remove the property.");
		}
	}

	boolean isEmbedded() {
		return this.beanName.equals(EMBEDDED);
	}

	/** Where the client comes from, as a sentence for messages. */
	String description() {
		return this.beanName.equals(OWN)
				? "The DynamoDbClient was made from " + PropertyValues.name("client.region") + ", "
						+ PropertyValues.name("client.endpoint") + " and the SDK's default chains"
				: "The DynamoDbClient is the bean '" + this.beanName + "'";
	}

}
