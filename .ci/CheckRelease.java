/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks the files that a release uploads, and prints a line for each, except checksums:
 *
 * <pre>java .ci/CheckRelease.java FOLDER VERSION [--unsigned]</pre>
 *
 * The folder contains the unpacked bundle. Runs in the root of the sources, with which it
 * compares licenses and notices.
 */
class CheckRelease {

	private static final List<String> POMS = List.of("dynamodb-lock-parent", "dynamodb-lock-bom");

	private static final List<String> JARS = List.of("dynamodb-lock-core", "dynamodb-lock-shedlock",
			"dynamodb-lock-spring-boot-starter", "dynamodb-lock-spring-boot-starter-test", "dynamodb-lock-test");

	private static final List<String> CHECKSUMS = List.of("md5", "sha1", "sha256", "sha512");

	private static final Set<String> POM_ELEMENTS = Set.of("modelVersion", "groupId", "artifactId", "version",
			"packaging", "name", "description", "url", "inceptionYear", "licenses", "developers", "scm",
			"issueManagement", "dependencies", "dependencyManagement");

	private final Path bundle;

	private final String version;

	private final boolean signed;

	private final List<String> problems = new ArrayList<>();

	CheckRelease(Path bundle, String version, boolean signed) {
		this.bundle = bundle;
		this.version = version;
		this.signed = signed;
	}

	public static void main(String[] args) throws Exception {
		CheckRelease check = new CheckRelease(Path.of(args[0]), args[1], args.length < 3);
		check.run();
		check.problems.forEach((problem) -> System.err.println("FAILED: " + problem));
		System.exit(check.problems.isEmpty() ? 0 : 1);
	}

	private void run() throws Exception {
		Set<String> expected = new TreeSet<>();
		for (String module : POMS) {
			expect(expected, module, ".pom", "-cyclonedx.json", "-cyclonedx.xml");
		}
		for (String module : JARS) {
			expect(expected, module, ".pom", "-cyclonedx.json", "-cyclonedx.xml", ".jar", "-sources.jar",
					"-javadoc.jar");
		}
		Set<String> found = new TreeSet<>();
		try (Stream<Path> files = Files.walk(this.bundle)) {
			files.filter(Files::isRegularFile)
				.forEach((file) -> found.add(this.bundle.relativize(file).toString().replace('\\', '/')));
		}
		for (String file : found) {
			require(expected.contains(file), "not expected: " + file);
		}
		for (String file : expected) {
			if (!found.contains(file)) {
				require(false, "missing: " + file);
				continue;
			}
			if (CHECKSUMS.contains(file.substring(file.lastIndexOf('.') + 1))) {
				continue;
			}
			byte[] content = Files.readAllBytes(this.bundle.resolve(file));
			System.out.printf("%8d  %s%n", content.length, file);
			if (file.endsWith(".pom")) {
				checkPom(file);
			}
			else if (file.endsWith(".jar")) {
				checkJar(file);
			}
			else if (file.endsWith("-cyclonedx.json")) {
				checkBom(file, new String(content, StandardCharsets.UTF_8));
			}
			if (found.contains(file + ".sha256")) {
				String checksum = Files.readString(this.bundle.resolve(file + ".sha256")).strip();
				String computed = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
				require(checksum.equals(computed), "wrong checksum: " + file);
			}
		}
	}

	private void expect(Set<String> expected, String module, String... endings) {
		for (String ending : endings) {
			String file = folder(module) + module + "-" + this.version + ending;
			expected.add(file);
			if (this.signed) {
				expected.add(file + ".asc");
			}
			for (String checksum : CHECKSUMS) {
				expected.add(file + "." + checksum);
			}
		}
	}

	private String folder(String module) {
		return "io/github/dynamodblock/" + module + "/" + this.version + "/";
	}

	/** What Maven Central requires of a POM, and nothing that only this build knows. */
	private void checkPom(String file) throws Exception {
		Path path = this.bundle.resolve(file);
		String text = Files.readString(path);
		require(!text.contains("${"), "unresolved ${...} in " + file);
		require(!text.contains("SNAPSHOT"), "SNAPSHOT in " + file);
		Element project = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(path.toFile())
			.getDocumentElement();
		for (Element element : children(project)) {
			require(POM_ELEMENTS.contains(element.getTagName()), "<" + element.getTagName() + "> in " + file);
		}
		for (String required : List.of("groupId", "artifactId", "name", "description", "url", "licenses/license/name",
				"licenses/license/url", "developers/developer/name", "developers/developer/url", "scm/connection",
				"scm/developerConnection", "scm/url")) {
			require(!text(project, required).isEmpty(), "no " + required + " in " + file);
		}
		require(text(project, "version").equals(this.version), "wrong version in " + file);
		require(text(project, "scm/tag").equals("v" + this.version), "wrong scm/tag in " + file);
		for (Element dependency : children(child(project, "dependencies"))) {
			String name = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
			require(!text(dependency, "version").isEmpty(), "no version of " + name + " in " + file);
			require(!Set.of("test", "system").contains(text(dependency, "scope")), "scope of " + name + " in " + file);
		}
	}

	private void checkJar(String file) throws IOException {
		try (ZipFile jar = new ZipFile(this.bundle.resolve(file).toFile())) {
			for (String name : List.of("LICENSE", "NOTICE")) {
				ZipEntry entry = jar.getEntry("META-INF/" + name);
				if (entry == null) {
					require(false, "no META-INF/" + name + " in " + file);
					continue;
				}
				try (InputStream content = jar.getInputStream(entry)) {
					require(new String(content.readAllBytes(), StandardCharsets.UTF_8)
						.equals(Files.readString(Path.of(name))), "another " + name + " in " + file);
				}
			}
			String content = file.endsWith("-sources.jar") ? "package-info.java"
					: file.endsWith("-javadoc.jar") ? "index.html" : ".class";
			require(jar.stream().anyMatch((entry) -> entry.getName().endsWith(content)), "no " + content + " in " + file);
		}
	}

	private void checkBom(String file, String text) {
		String module = file.split("/")[3];
		require(text.contains("\"pkg:maven/io.github.dynamodblock/" + module + "@" + this.version + "?type="),
				"no component " + module + " in " + file);
		require(POMS.contains(module) || text.contains("\"pkg:maven/software.amazon.awssdk/dynamodb@"),
				"no dependencies in " + file);
	}

	private void require(boolean condition, String problem) {
		if (!condition) {
			this.problems.add(problem);
		}
	}

	private static String text(Element element, String path) {
		Element found = element;
		for (String name : path.split("/")) {
			found = child(found, name);
		}
		return (found != null) ? found.getTextContent().strip() : "";
	}

	private static Element child(Element element, String name) {
		return children(element).stream().filter((child) -> child.getTagName().equals(name)).findFirst().orElse(null);
	}

	private static List<Element> children(Element element) {
		List<Element> children = new ArrayList<>();
		for (Node node = (element != null) ? element.getFirstChild() : null; node != null; node = node
			.getNextSibling()) {
			if (node instanceof Element child) {
				children.add(child);
			}
		}
		return children;
	}

}
