/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The class path of the tests without some libraries. It reads its files apart from other
 * class loaders: the JDK otherwise shares an open file with them, and closes it for all
 * of them.
 */
public final class ClassPathWithout extends URLClassLoader {

	/**
	 * The class path, but for libraries whose files begin like this.
	 */
	public ClassPathWithout(String... libraries) {
		super(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((path) -> Arrays.stream(libraries).noneMatch(path.getFileName().toString()::startsWith))
			.map(ClassPathWithout::url)
			.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
	}

	@Override
	public @Nullable InputStream getResourceAsStream(String name) {
		URL url = getResource(name);
		if (url == null) {
			return null;
		}
		try {
			URLConnection connection = url.openConnection();
			connection.setUseCaches(false);
			return connection.getInputStream();
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static URL url(Path path) {
		try {
			return path.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
