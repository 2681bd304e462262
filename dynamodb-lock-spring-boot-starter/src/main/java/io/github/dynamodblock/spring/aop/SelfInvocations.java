/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.util.ClassUtils;

/**
 * Finds the calls on {@code this} in the class files of a class and its superclasses. A
 * class without a file, such as a generated one, shows none.
 */
final class SelfInvocations {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocations.class);

	// The compiler makes a method of a lambda's body, and puts the surrounding method's
	// name into its.
	private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");

	private final Set<SelfInvocation> found = new LinkedHashSet<>();

	private SelfInvocations() {
	}

	static Set<SelfInvocation> of(Class<?> beanClass) {
		SelfInvocations invocations = new SelfInvocations();
		for (Class<?> type = beanClass; type != null && !isOfAPlatform(type); type = type.getSuperclass()) {
			invocations.read(type);
		}
		return invocations.found;
	}

	private static boolean isOfAPlatform(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("org.springframework.");
	}

	private void read(Class<?> type) {
		try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (file != null) {
				new ClassReader(file).accept(new Methods(type), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			// A format newer than Spring's reader knows: the check is an aid, and no
			// reason not to start.
			logger.debug("The class file of {} cannot be read for calls that bypass the proxy", type.getName(), ex);
		}
	}

	private final class Methods extends ClassVisitor {

		private final Class<?> type;

		Methods(Class<?> type) {
			super(SpringAsmInfo.ASM_VERSION);
			this.type = type;
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			if ((access & Opcodes.ACC_BRIDGE) != 0) {
				// It passes on what was called through the proxy already.
				return null;
			}
			Matcher lambda = LAMBDA.matcher(name);
			String caller = lambda.matches() ? lambda.group(1) : name;
			return new SelfInvocationVisitor(access, (callee) -> SelfInvocations.this.found
				.add(new SelfInvocation(this.type.getName(), caller, name + descriptor, callee)));
		}

	}

}
