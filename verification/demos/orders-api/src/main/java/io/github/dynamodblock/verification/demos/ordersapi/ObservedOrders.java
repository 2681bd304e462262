/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import jakarta.servlet.http.HttpServletResponse;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.repository.CrudRepository;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Stands between the sample's service and its repository. Adds the fencing token to the
 * response, and calls the warehouse between read and write. Without locks, leaves out the
 * guard, too, because a guarded row also keeps two transactions apart.
 */
public class ObservedOrders implements BeanPostProcessor {

	/** The header with the token under which an item was added. */
	static final String TOKEN = "Demo-Fencing-Token";

	private final ObjectProvider<Warehouse> warehouse;

	private final boolean lock;

	ObservedOrders(ObjectProvider<Warehouse> warehouse, @Value("${dynamodb-lock.enabled:true}") boolean lock) {
		this.warehouse = warehouse;
		this.lock = lock;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof CrudRepository)) {
			return bean;
		}
		ProxyFactory observed = new ProxyFactory(bean);
		observed.addAdvice((MethodInterceptor) this::call);
		return observed.getProxy(bean.getClass().getClassLoader());
	}

	private @Nullable Object call(MethodInvocation invocation) throws Throwable {
		return switch (invocation.getMethod().getName()) {
			case "storeToken" -> this.lock ? storeToken(invocation) : 1;
			case "findById" -> findById(invocation);
			default -> invocation.proceed();
		};
	}

	private static @Nullable Object storeToken(MethodInvocation invocation) throws Throwable {
		Object rows = invocation.proceed();
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request) {
			HttpServletResponse response = request.getResponse();
			if (response != null) {
				response.setHeader(TOKEN, String.valueOf(invocation.getArguments()[1]));
			}
		}
		return rows;
	}

	private @Nullable Object findById(MethodInvocation invocation) throws Throwable {
		Object order = invocation.proceed();
		// Only a request that adds an item reads within a transaction.
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			this.warehouse.getObject().reserve();
		}
		return order;
	}

}
