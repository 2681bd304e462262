/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathException;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints the table of RELEASING.md:
 *
 * <pre>java .ci/DependencyTable.java FOLDER</pre>
 *
 * The folder contains an SBOM for each published module: of an application that has no
 * other dependency.
 */
class DependencyTable {

	private static final List<String> MODULES = List.of("core", "shedlock", "spring-boot-starter",
			"spring-boot-starter-test", "test");

	private static final String GROUP = "io.github.dynamodblock";

	public static void main(String[] args) throws Exception {
		if (args.length != 1 || !Files.isDirectory(Path.of(args[0]))) {
			System.err.println("Expected one argument: the folder with the SBOMs, as .ci/release-dry-run makes it");
			System.exit(2);
		}
		Map<Artifact, TreeSet<String>> modulesOf = new TreeMap<>();
		for (String module : MODULES) {
			Document bom = DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(Path.of(args[0], "dynamodb-lock-" + module + ".cdx.xml").toFile());
			NodeList components = (NodeList) XPathFactory.newInstance()
				.newXPath()
				.evaluate("/bom/components/component", bom, XPathConstants.NODESET);
			for (int i = 0; i < components.getLength(); i++) {
				Artifact artifact = artifact((Element) components.item(i));
				if (!artifact.equals(new Artifact(GROUP, "dynamodb-lock-" + module, artifact.facts()))) {
					modulesOf.computeIfAbsent(artifact, (key) -> new TreeSet<>()).add(module);
				}
			}
		}
		System.out.println("| artifact | version | license | core | shedlock | starter | starter-test | test |");
		System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
		// A row for each group, if its artifacts differ in their names only.
		Map<String, List<Artifact>> rows = new TreeMap<>();
		modulesOf.forEach((artifact, modules) -> {
			StringBuilder cells = new StringBuilder(artifact.facts());
			MODULES.forEach((module) -> cells.append(modules.contains(module) ? " | ●" : " | "));
			rows.computeIfAbsent(artifact.group() + "\n" + cells, (key) -> new ArrayList<>()).add(artifact);
		});
		rows.forEach((key, artifacts) -> {
			String name = (artifacts.size() > 1) ? "*" : artifacts.get(0).name();
			String count = (artifacts.size() > 1) ? " (%d)".formatted(artifacts.size()) : "";
			System.out.println("| `%s:%s`%s | %s |".formatted(artifacts.get(0).group(), name, count,
					key.substring(key.indexOf('\n') + 1)));
		});
	}

	private static Artifact artifact(Element component) throws XPathException {
		String group = text(component, "group");
		String name = text(component, "name");
		NodeList licenses = (NodeList) XPathFactory.newInstance()
			.newXPath()
			.evaluate("licenses/expression | licenses/license/id | licenses/license/name", component,
					XPathConstants.NODESET);
		if (licenses.getLength() == 0) {
			throw new IllegalStateException("no license: " + group + ":" + name);
		}
		List<String> names = new ArrayList<>();
		for (int i = 0; i < licenses.getLength(); i++) {
			names.add(licenses.item(i).getTextContent().strip());
		}
		String version = group.equals(GROUP) ? "the same" : text(component, "version");
		return new Artifact(group, name, version + " | " + String.join(" or ", names));
	}

	private static String text(Element component, String tag) {
		return component.getElementsByTagName(tag).item(0).getTextContent().strip();
	}

	/** An artifact. The facts are the cells of its version and its license. */
	private record Artifact(String group, String name, String facts) implements Comparable<Artifact> {

		@Override
		public int compareTo(Artifact other) {
			return Comparator.comparing(Artifact::group)
				.thenComparing(Artifact::name)
				.thenComparing(Artifact::facts)
				.compare(this, other);
		}

	}

}
