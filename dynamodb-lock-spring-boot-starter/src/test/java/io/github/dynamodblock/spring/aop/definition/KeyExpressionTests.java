/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.ClassWithoutParameterNames;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyExpressionTests {

	private static final Order ORDER = new Order("42", 7, List.of(new Item("a"), new Item("b")), null);

	private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"#order.id"                                | 42
					"#p0.id"                                   | 42
					"#a0.id + '/' + #labels[0]"                | 42/x
					"#order.number"                            | 7
					"#order.number + 1"                        | 8
					"#root.methodName"                         | fulfil
					"methodName"                               | fulfil
					"#root.args[0].id"                         | 42
					"#root.target.tenant"                      | acme
					"#root.targetClass.simpleName"             | Orders
					"'fixed'"                                  | fixed
					"#order.id.equals('42') ? 'yes' : 'no'"    | yes
					"#order.missing?.id ?: 'none'"             | none
					"#order.items.![sku][1]"                   | b
					"#order.items.?[sku == 'a'][0].sku"        | a
					"{first: 'x', id: #order.id}['id']"        | 42
					"@tenants.name(#order)"                    | tenant of 42
					"T(java.util.UUID).fromString('00000000-0000-0001-0000-000000000002')" | 00000000-0000-0001-0000-000000000002
					"T(java.util.concurrent.TimeUnit).SECONDS" | SECONDS
					"#labels.length"                           | 2
					""")
	void isEvaluated(String expression, String key) {
		this.beanFactory.registerSingleton("tenants", new Tenants());
		assertThat(evaluate(expression, ORDER)).containsExactly(key);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#labels"                      | x,y
			"#order.items.![sku]"          | a,b
			"{'b', 'a', 'b'}"              | a,b
			"new long[] {3, 10, 3}"        | 10,3
			"{1, '1'}"                     | 1
			"{'one'}"                      | one
			""")
	void ofACollectionOrAnArrayAreItsElementsEachOnceInOneOrder(String expression, String keys) {
		assertThat(evaluate(expression, ORDER)).containsExactly(keys.split(","));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"#order"              | is a io.github.dynamodblock.spring.aop.definition.KeyExpressionTests$Order, which is not a simple value
					"#order.missing"      | is null
					"#order.missing.id"   | cannot be evaluated for this call
					"#order.nothing"      | cannot be evaluated for this call
					"#order.items"        | has an element that is a io.github.dynamodblock.spring.aop.definition.KeyExpressionTests$Item, which is not a simple value; use the property that identifies it
					"{}"                  | is empty for this call
					"{1, null}"           | has an element that is null
					"{1, ' '}"            | has an element that is blank
					"{1, {2}}"            | has an element that is a java.util
					"#order.items[9].sku" | cannot be evaluated for this call
					"new byte[] {1, 2}"   | is a byte[], which would lock each of its distinct elements
					"'ab'.toCharArray()"  | is a char[], which would lock each of its distinct elements
					"1.5"                 | is a java.lang.Double, which rounding may change
					"{1.5f}"              | has an element that is a java.lang.Float, which rounding may change
					"''"                  | is blank
					"'  '"                | is blank
					"#order.fail()"       | cannot be evaluated for this call: told to fail
					""")
	void aKeyThatIsNoneNamesMethodAndExpression(String expression, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> evaluate(expression, ORDER))
			.withMessageContainingAll("KeyExpressionTests$Orders.fulfil(Order, String[])", "\"" + expression + "\"",
					problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"new java.util.Date(0)"                                     | 1970-01-01T00:00:00Z
			"new java.sql.Timestamp(1)"                                 | 1970-01-01T00:00:00.001Z
			"T(java.sql.Date).valueOf('2026-01-02')"                    | 2026-01-02
			"T(java.sql.Time).valueOf('03:04:05')"                      | 03:04:05
			"T(java.util.TimeZone).getTimeZone('Asia/Tokyo')"           | Asia/Tokyo
			"T(java.time.LocalDate).of(2026, 1, 2)"                     | 2026-01-02
			"T(java.net.InetAddress).getByAddress('name', new byte[] {127, 0, 0, 1})" | 127.0.0.1
			""")
	@ResourceLock(Resources.TIME_ZONE)
	void isTheSameOnNodesOfDifferentTimeZones(String expression, String key) {
		TimeZone before = TimeZone.getDefault();
		try {
			for (String zone : List.of("America/New_York", "Asia/Tokyo")) {
				TimeZone.setDefault(TimeZone.getTimeZone(zone));
				assertThat(evaluate(expression, ORDER)).as(zone).containsExactly(key);
			}
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"T(java.time.OffsetDateTime).parse('2026-01-02T10:00+02:00')"                   | 2026-01-02T08:00:00Z
			"T(java.time.OffsetDateTime).parse('2026-01-02T08:00Z')"                        | 2026-01-02T08:00:00Z
			"T(java.time.ZonedDateTime).parse('2026-01-02T09:00+01:00[Europe/Berlin]')"     | 2026-01-02T08:00:00Z
			"T(java.time.Instant).parse('2026-01-02T08:00:00.000Z')"                        | 2026-01-02T08:00:00Z
			"new java.math.BigDecimal('100.0')"                                             | 100
			"new java.math.BigDecimal('100.00')"                                            | 100
			"new java.math.BigDecimal('1E+2')"                                              | 100
			"new java.math.BigDecimal('0.00')"                                              | 0
			"new java.math.BigDecimal('-0.50')"                                             | -0.5
			"new java.math.BigDecimal('1E+999999999')"                                      | 1E+999999999
			"new java.math.BigDecimal('1E-999999999')"                                      | 1E-999999999
			""")
	void equalNumbersAndInstantsAreOneKey(String expression, String key) {
		assertThat(evaluate(expression, ORDER)).containsExactly(key);
	}

	@Test
	void aParameterThatIsNullNamesMethodAndExpression() {
		assertThatIllegalArgumentException().isThrownBy(() -> evaluate("#order.id", null))
			.withMessageContainingAll("KeyExpressionTests$Orders.fulfil(Order, String[])", "\"#order.id\"", "null");
	}

	@Test
	void withoutParameterNamesTheAdviceIsToCompileWithThem(@TempDir Path folder) throws Exception {
		Method method = ClassWithoutParameterNames.compile(folder, "acme", "Jobs").getMethod("run", String.class);
		assertThatExceptionOfType(InvalidDistributedLockException.class)
			.isThrownBy(() -> new KeyExpression("#id", method, "Jobs.run(String)", this.beanFactory))
			.withMessageContainingAll("Jobs.run(String)", "'key'", "#id", "-parameters", "#p0");
		KeyExpression byPosition = new KeyExpression("#p0", method, "Jobs.run(String)", this.beanFactory);
		assertThat(byPosition.evaluate(new Object[] { "42" }, new Object())).containsExactly("42");
	}

	private List<String> evaluate(String expression, @Nullable Order order) {
		Method method = Objects
			.requireNonNull(ReflectionUtils.findMethod(Orders.class, "fulfil", Order.class, String[].class));
		return new KeyExpression(expression, method, LockDefinitions.describe(method, Orders.class), this.beanFactory)
			.evaluate(new Object[] { order, new String[] { "x", "y" } }, new Orders());
	}

	public record Item(String sku) {
	}

	public record Order(String id, int number, List<Item> items, @Nullable Order missing) {

		public String fail() {
			throw new IllegalStateException("told to fail");
		}

	}

	public static class Tenants {

		public String name(Order order) {
			return "tenant of " + order.id();
		}

	}

	public static class Orders {

		public String getTenant() {
			return "acme";
		}

		public void fulfil(Order order, String... labels) {
		}

	}

}
