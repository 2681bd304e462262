/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A class that was compiled without -parameters and without the names of variables.
 */
public final class ClassWithoutParameterNames {

	private ClassWithoutParameterNames() {
	}

	/**
	 * Compiles a class with an annotated method {@code run(String id)}.
	 */
	public static Class<?> compile(Path folder, String packageName, String name)
			throws IOException, ReflectiveOperationException {
		Path source = Files.writeString(folder.resolve(name + ".java"), """
				package %s;

				public class %s {

					@io.github.dynamodblock.spring.DistributedLock(name = "jobs", key = "#id")
					public void run(String id) {
					}

				}
				""".formatted(packageName, name));
		int status = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-g:none", "-proc:none", "-classpath", System.getProperty("java.class.path"), "-d",
					folder.toString(), source.toString());
		assertThat(status).isZero();
		URL[] path = { folder.toUri().toURL() };
		// Left open: the class may need others of its loader later.
		URLClassLoader loader = new URLClassLoader(path, ClassWithoutParameterNames.class.getClassLoader());
		return loader.loadClass(packageName + "." + name);
	}

}
