/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Makes all monotonic clocks and timers of an environment run too fast or too slow. The
 * time of day stays right, as a time service would keep it.
 *
 * @param environment the right one
 * @param rate how fast the clocks run; 1 is right
 */
record RatedEnvironment(Environment environment, double rate) implements InvocationHandler {

	static Environment of(Environment environment, double rate) {
		return (Environment) Proxy.newProxyInstance(Environment.class.getClassLoader(),
				new Class<?>[] { Environment.class }, new RatedEnvironment(environment, rate));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		Object result;
		try {
			result = method.invoke(this.environment, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
		if (result instanceof ClockReading now) {
			return new ClockReading((long) (now.observerNanos() * this.rate), (long) (now.holderNanos() * this.rate),
					now.wallClock());
		}
		if (result instanceof Timer timer) {
			return (Timer) (delay, task) -> timer.schedule((long) (delay / this.rate), task);
		}
		return result;
	}

}
