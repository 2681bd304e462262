/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import org.springframework.asm.Opcodes;

/**
 * What the instructions without operands do to the operand stack, in slots. Those that
 * return or rearrange are not among them.
 */
final class StackEffect {

	private StackEffect() {
	}

	static int popped(int opcode) {
		return switch (opcode) {
			case Opcodes.LASTORE, Opcodes.DASTORE, Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG, Opcodes.LADD,
					Opcodes.DADD, Opcodes.LSUB, Opcodes.DSUB, Opcodes.LMUL, Opcodes.DMUL, Opcodes.LDIV, Opcodes.DDIV,
					Opcodes.LREM, Opcodes.DREM, Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR ->
				4;
			case Opcodes.IASTORE, Opcodes.FASTORE, Opcodes.AASTORE, Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE,
					Opcodes.LSHL, Opcodes.LSHR, Opcodes.LUSHR ->
				3;
			case Opcodes.IALOAD, Opcodes.LALOAD, Opcodes.FALOAD, Opcodes.DALOAD, Opcodes.AALOAD, Opcodes.BALOAD,
					Opcodes.CALOAD, Opcodes.SALOAD, Opcodes.POP2, Opcodes.IADD, Opcodes.FADD, Opcodes.ISUB,
					Opcodes.FSUB, Opcodes.IMUL, Opcodes.FMUL, Opcodes.IDIV, Opcodes.FDIV, Opcodes.IREM, Opcodes.FREM,
					Opcodes.ISHL, Opcodes.ISHR, Opcodes.IUSHR, Opcodes.IAND, Opcodes.IOR, Opcodes.IXOR, Opcodes.FCMPL,
					Opcodes.FCMPG, Opcodes.LNEG, Opcodes.DNEG, Opcodes.L2I, Opcodes.L2F, Opcodes.L2D, Opcodes.D2I,
					Opcodes.D2L, Opcodes.D2F ->
				2;
			case Opcodes.POP, Opcodes.MONITORENTER, Opcodes.MONITOREXIT, Opcodes.ARRAYLENGTH, Opcodes.INEG,
					Opcodes.FNEG, Opcodes.I2L, Opcodes.I2F, Opcodes.I2D, Opcodes.F2I, Opcodes.F2L, Opcodes.F2D,
					Opcodes.I2B, Opcodes.I2C, Opcodes.I2S ->
				1;
			default -> 0;
		};
	}

	static int pushed(int opcode) {
		return switch (opcode) {
			case Opcodes.NOP, Opcodes.POP, Opcodes.POP2, Opcodes.MONITORENTER, Opcodes.MONITOREXIT, Opcodes.IASTORE,
					Opcodes.LASTORE, Opcodes.FASTORE, Opcodes.DASTORE, Opcodes.AASTORE, Opcodes.BASTORE,
					Opcodes.CASTORE, Opcodes.SASTORE ->
				0;
			case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1, Opcodes.LALOAD, Opcodes.DALOAD,
					Opcodes.LADD, Opcodes.DADD, Opcodes.LSUB, Opcodes.DSUB, Opcodes.LMUL, Opcodes.DMUL, Opcodes.LDIV,
					Opcodes.DDIV, Opcodes.LREM, Opcodes.DREM, Opcodes.LNEG, Opcodes.DNEG, Opcodes.LSHL, Opcodes.LSHR,
					Opcodes.LUSHR, Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR, Opcodes.I2L, Opcodes.I2D, Opcodes.L2D,
					Opcodes.F2L, Opcodes.F2D, Opcodes.D2L ->
				2;
			default -> 1;
		};
	}

}
