/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.path;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;
import net.bytebuddy.description.method.MethodDescription;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods that only return a field or a constant.
 */
final class Accessors {

	private final Map<String, Set<String>> ofTypes = new ConcurrentHashMap<>();

	boolean has(MethodDescription method) {
		String type = method.getDeclaringType().asErasure().getInternalName();
		return this.ofTypes.computeIfAbsent(type, Accessors::of)
			.contains(method.getInternalName() + method.getDescriptor());
	}

	private static Set<String> of(String type) {
		ClassNode node = new ClassNode();
		try (InputStream file = Objects.requireNonNull(LockClient.class.getResourceAsStream("/" + type + ".class"))) {
			new ClassReader(file).accept(node, ClassReader.SKIP_DEBUG);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return node.methods.stream()
			.filter(Accessors::isAccessor)
			.map((method) -> method.name + method.desc)
			.collect(Collectors.toSet());
	}

	private static boolean isAccessor(MethodNode method) {
		int[] code = Arrays.stream(method.instructions.toArray())
			.mapToInt((instruction) -> instruction.getOpcode())
			.filter((opcode) -> opcode >= 0)
			.toArray();
		boolean field = code.length == 3 && code[1] == Opcodes.GETFIELD;
		return (field || code.length == 2) && code[code.length - 1] != Opcodes.RETURN;
	}

}
