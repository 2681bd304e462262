/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Reads class files, and finds what a thread might wait for while it is in a monitor,
 * where a virtual thread keeps its carrier from all others. A method that is
 * {@code synchronized} or has a {@code synchronized} block may, with all that it calls,
 * only compute: call the classes given, and those of the JDK that never wait.
 */
public final class MonitorCheck {

	private static final Set<String> PACKAGES_THAT_COMPUTE = Set.of("java/lang", "java/util", "java/util/function",
			"java/time");

	private static final Set<String> CLASSES_THAT_WAIT = Set.of("java/lang/Thread", "java/lang/Process",
			"java/lang/System", "java/util/Timer", "java/util/Scanner");

	private static final Set<String> METHODS_THAT_WAIT = Set.of("java/lang/Object.wait");

	private static final String CONSTRUCTOR = ".<init>";

	private static final String ARRAY = "[";

	private final Map<String, ClassNode> classes = new HashMap<>();

	private final Map<String, MethodNode> methods = new HashMap<>();

	/**
	 * Reads classes.
	 * @param files class files, and directories of such
	 * @return the check of these classes
	 */
	public static MonitorCheck of(Path... files) {
		MonitorCheck check = new MonitorCheck();
		for (Path each : files) {
			try (Stream<Path> found = Files.walk(each)) {
				found.filter((file) -> file.toString().endsWith(".class") && !file.endsWith("module-info.class"))
					.forEach(check::read);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return check;
	}

	private void read(Path file) {
		ClassNode type = new ClassNode();
		try {
			new ClassReader(Files.readAllBytes(file)).accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.classes.put(type.name, type);
		type.methods.forEach((method) -> this.methods.put(id(type.name, method.name, method.desc), method));
	}

	/** The methods that enter a monitor. */
	public List<String> inMonitors() {
		return this.methods.entrySet()
			.stream()
			.filter((each) -> entersMonitor(each.getValue()))
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	private static boolean entersMonitor(MethodNode method) {
		return (method.access & Opcodes.ACC_SYNCHRONIZED) != 0
				|| instructions(method).stream().anyMatch((each) -> each.getOpcode() == Opcodes.MONITORENTER);
	}

	/** What may wait in a monitor, as "caller -> called". */
	public Set<String> waitsInMonitors() {
		Set<String> faults = new TreeSet<>();
		Deque<String> open = new ArrayDeque<>(inMonitors());
		Set<String> seen = new HashSet<>(open);
		while (!open.isEmpty()) {
			String caller = open.remove();
			for (String called : calls(Objects.requireNonNull(this.methods.get(caller)))) {
				Set<String> ours = implementations(called);
				if (ours.isEmpty() && !computes(called)) {
					faults.add(caller + " -> " + called);
				}
				ours.stream().filter(seen::add).forEach(open::add);
			}
		}
		return faults;
	}

	private static Set<String> calls(MethodNode method) {
		Set<String> calls = new TreeSet<>();
		for (AbstractInsnNode instruction : instructions(method)) {
			if (instruction instanceof MethodInsnNode call) {
				calls.add(id(call.owner, call.name, call.desc));
			}
			else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
				// A lambda counts as called where it is made.
				Stream.of(dynamic.bsmArgs)
					.filter(Handle.class::isInstance)
					.map(Handle.class::cast)
					.forEach((handle) -> calls.add(id(handle.getOwner(), handle.getName(), handle.getDesc())));
			}
		}
		return calls;
	}

	private static List<AbstractInsnNode> instructions(MethodNode method) {
		return List.of(method.instructions.toArray());
	}

	/** The methods of the given classes that a call may reach. */
	private Set<String> implementations(String called) {
		String owner = called.substring(0, called.indexOf('.'));
		String signature = called.substring(called.indexOf('.'));
		Set<String> found = new TreeSet<>();
		if (signature.startsWith(CONSTRUCTOR)) {
			// No other class's constructor can be meant.
			return this.methods.containsKey(called) ? Set.of(called) : found;
		}
		for (String type : this.classes.keySet()) {
			if ((isKindOf(type, owner) || isKindOf(owner, type)) && this.methods.containsKey(type + signature)) {
				found.add(type + signature);
			}
		}
		return found;
	}

	private boolean isKindOf(String type, String ancestor) {
		ClassNode node = this.classes.get(type);
		return type.equals(ancestor) || (node != null && (isKindOf(node.superName, ancestor)
				|| node.interfaces.stream().anyMatch((each) -> isKindOf(each, ancestor))));
	}

	private boolean computes(String called) {
		String owner = called.substring(0, called.indexOf('.'));
		String method = called.substring(0, called.indexOf('('));
		ClassNode ours = this.classes.get(owner);
		if (ours != null) {
			// Made by the compiler or inherited from the JDK: toString of a record, name
			// of an enum.
			return computes(ours.superName + called.substring(owner.length()));
		}
		if (owner.startsWith(ARRAY)) {
			return true;
		}
		String outer = owner.contains("$") ? owner.substring(0, owner.indexOf('$')) : owner;
		return PACKAGES_THAT_COMPUTE.contains(owner.substring(0, Math.max(0, owner.lastIndexOf('/'))))
				&& !CLASSES_THAT_WAIT.contains(outer) && !METHODS_THAT_WAIT.contains(method);
	}

	private static String id(String owner, String name, String descriptor) {
		return owner + "." + name + descriptor;
	}

}
