/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Computes the fingerprints that are stored and logged instead of secrets. With a key, a
 * reader of the table or the log cannot find a short secret by trying all values.
 * Thread-safe.
 */
@Component
public class Fingerprints {

	private static final String HMAC = "HmacSHA256";

	private static final int BYTES = 16;

	private final @Nullable SecretKeySpec key;

	Fingerprints(LockServerProperties properties) {
		@Nullable String configured = properties.fingerprintKey();
		this.key = (configured != null) ? new SecretKeySpec(bytes(configured), HMAC) : null;
	}

	/**
	 * Returns half of the text's SHA-256 hash, or of its HMAC if a key is configured.
	 * @param text the text
	 * @return 22 letters, digits, '-' and '_'
	 */
	public String of(String text) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash(bytes(text)), BYTES));
	}

	/**
	 * Compares fingerprints, in a time that does not depend on where they differ.
	 */
	static boolean areEqual(String one, String other) {
		return MessageDigest.isEqual(bytes(one), bytes(other));
	}

	private byte[] hash(byte[] text) {
		try {
			if (this.key == null) {
				return MessageDigest.getInstance("SHA-256").digest(text);
			}
			Mac mac = Mac.getInstance(HMAC);
			mac.init(this.key);
			return mac.doFinal(text);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("This JVM lacks SHA-256 or its HMAC", ex);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
