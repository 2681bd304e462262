/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.nio.file.Path;
import java.util.ArrayList;
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
 * Prints the table of docs/dependencies.md:
 *
 * <pre>java .ci/DependencyTable.java FOLDER</pre>
 *
 * The folder contains an SBOM for each published module: of an application that has no
 * other dependency.
 */
class DependencyTable {

	private static final List<String> MODULES = List.of("core", "shedlock", "spring-boot-starter",
			"spring-boot-starter-test", "test");

	public static void main(String[] args) throws Exception {
		Map<String, TreeSet<String>> rows = new TreeMap<>();
		for (String module : MODULES) {
			Document bom = DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(Path.of(args[0], "dynamodb-lock-" + module + ".cdx.xml").toFile());
			NodeList components = (NodeList) XPathFactory.newInstance()
				.newXPath()
				.evaluate("/bom/components/component", bom, XPathConstants.NODESET);
			for (int i = 0; i < components.getLength(); i++) {
				String row = row((Element) components.item(i), module);
				if (row != null) {
					rows.computeIfAbsent(row, (key) -> new TreeSet<>()).add(module);
				}
			}
		}
		System.out.println("| artifact | version | license | core | shedlock | starter | starter-test | test |");
		System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
		rows.forEach((row, modules) -> {
			StringBuilder line = new StringBuilder(row);
			MODULES.forEach((module) -> line.append(modules.contains(module) ? " | ●" : " | "));
			System.out.println(line.append(" |"));
		});
	}

	private static String row(Element component, String module) throws XPathException {
		String group = text(component, "group");
		String name = text(component, "name");
		boolean ours = group.equals("io.github.dynamodblock");
		if (ours && name.equals("dynamodb-lock-" + module)) {
			return null;
		}
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
		return "| `%s:%s` | %s | %s".formatted(group, name, ours ? "the same" : text(component, "version"),
				String.join(" or ", names));
	}

	private static String text(Element component, String tag) {
		return component.getElementsByTagName(tag).item(0).getTextContent().strip();
	}

}
