/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows {@code this} through the instructions of one method, and tells what is called
 * on it: a call on another object of the same class, such as the bean's own proxy, is
 * none. Instructions are read once, in their order; where branches meet, the first one
 * counts, which is exact for what compilers make of expressions.
 */
final class SelfInvocationVisitor extends MethodVisitor {

	private final Consumer<String> calls;

	private final Set<Integer> variablesWithThis = new HashSet<>();

	private final Map<Label, OperandStack> stacksAtJumps = new HashMap<>();

	private OperandStack stack = new OperandStack();

	private boolean reachable = true;

	/**
	 * Creates a visitor for one method.
	 * @param access the method's access flags
	 * @param calls takes the name and the descriptor of each method that is called on
	 * {@code this}
	 */
	SelfInvocationVisitor(int access, Consumer<String> calls) {
		super(SpringAsmInfo.ASM_VERSION);
		this.calls = calls;
		if ((access & Opcodes.ACC_STATIC) == 0) {
			this.variablesWithThis.add(0);
		}
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		int arguments = (sizes >> 2) - ((opcode == Opcodes.INVOKESTATIC) ? 1 : 0);
		boolean onThis = this.stack.pop(arguments);
		// A special call is that of a constructor, or of a superclass' method by its
		// override.
		if (onThis && (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE)) {
			this.calls.accept(name + descriptor);
		}
		this.stack.push(sizes & 3);
	}

	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrapMethod, Object... arguments) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		boolean capturesThis = this.stack.pop((sizes >> 2) - 1);
		for (Object argument : arguments) {
			// A method reference, such as this::fulfil.
			if (capturesThis && argument instanceof Handle handle
					&& (handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE)) {
				this.calls.accept(handle.getName() + handle.getDesc());
			}
		}
		this.stack.push(sizes & 3);
	}

	@Override
	public void visitVarInsn(int opcode, int variable) {
		switch (opcode) {
			case Opcodes.ALOAD -> this.stack.push(this.variablesWithThis.contains(variable));
			case Opcodes.ILOAD, Opcodes.FLOAD -> this.stack.push(1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> this.stack.push(2);
			case Opcodes.LSTORE, Opcodes.DSTORE -> store(variable, 2);
			default -> store(variable, 1);
		}
	}

	private void store(int variable, int size) {
		boolean isThis = this.stack.pop(size);
		if (isThis) {
			this.variablesWithThis.add(variable);
		}
		else {
			this.variablesWithThis.remove(variable);
		}
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		int size = Type.getType(descriptor).getSize();
		switch (opcode) {
			case Opcodes.GETSTATIC -> this.stack.push(size);
			case Opcodes.PUTSTATIC -> this.stack.pop(size);
			case Opcodes.GETFIELD -> replace(1, size);
			default -> this.stack.pop(1 + size);
		}
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		switch (opcode) {
			case Opcodes.NEW -> this.stack.push(1);
			case Opcodes.INSTANCEOF -> replace(1, 1);
			default -> {
				// A cast leaves what it casts, and an array's size is no reference.
			}
		}
	}

	@Override
	public void visitInsn(int opcode) {
		switch (opcode) {
			case Opcodes.DUP -> this.stack.duplicate(1, 0);
			case Opcodes.DUP_X1 -> this.stack.duplicate(1, 1);
			case Opcodes.DUP_X2 -> this.stack.duplicate(1, 2);
			case Opcodes.DUP2 -> this.stack.duplicate(2, 0);
			case Opcodes.DUP2_X1 -> this.stack.duplicate(2, 1);
			case Opcodes.DUP2_X2 -> this.stack.duplicate(2, 2);
			case Opcodes.SWAP -> this.stack.swap();
			case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN, Opcodes.RETURN,
					Opcodes.ATHROW ->
				this.reachable = false;
			default -> replace(StackEffect.popped(opcode), StackEffect.pushed(opcode));
		}
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		if (opcode != Opcodes.NEWARRAY) {
			this.stack.push(1);
		}
	}

	@Override
	public void visitLdcInsn(Object value) {
		boolean twoSlots = value instanceof Long || value instanceof Double
				|| (value instanceof ConstantDynamic constant && constant.getSize() == 2);
		this.stack.push(twoSlots ? 2 : 1);
	}

	@Override
	public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
		replace(dimensions, 1);
	}

	@Override
	public void visitJumpInsn(int opcode, Label target) {
		switch (opcode) {
			case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE, Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE, Opcodes.IF_ICMPGT,
					Opcodes.IF_ICMPLE, Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE ->
				this.stack.pop(2);
			case Opcodes.GOTO -> this.reachable = false;
			default -> this.stack.pop(1);
		}
		jumpTo(target);
	}

	@Override
	public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
		visitSwitch(dflt, labels);
	}

	@Override
	public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
		visitSwitch(dflt, labels);
	}

	private void visitSwitch(Label otherwise, Label[] labels) {
		this.stack.pop(1);
		jumpTo(otherwise);
		List.of(labels).forEach(this::jumpTo);
		this.reachable = false;
	}

	@Override
	public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
		OperandStack caught = new OperandStack();
		caught.push(1);
		this.stacksAtJumps.put(handler, caught);
	}

	private void jumpTo(Label target) {
		this.stacksAtJumps.putIfAbsent(target, this.stack.copy());
	}

	@Override
	public void visitLabel(Label label) {
		if (!this.reachable) {
			OperandStack known = this.stacksAtJumps.get(label);
			this.stack = (known != null) ? known.copy() : new OperandStack();
			this.reachable = true;
		}
	}

	private void replace(int popped, int pushed) {
		this.stack.pop(popped);
		this.stack.push(pushed);
	}

}
