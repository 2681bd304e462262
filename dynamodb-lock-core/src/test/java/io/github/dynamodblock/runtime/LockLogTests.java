/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.runtime.shared.OutageLoggingStore;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that two clients log in the course of a day, in virtual time, line by line
 * as the documentation has it.
 */
class LockLogTests {

	private static final String HEADING = "## Log lines";

	private static final TableSchema SCHEMA = TableSchema.of("locks");

	private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofSeconds(20), Duration.ofSeconds(5), null,
			LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, null, null);

	private static final LeaseTerms BOUNDED = new LeaseTerms(TERMS.leaseDuration(), TERMS.heartbeatPeriod(), null,
			LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, null, Duration.ofSeconds(1));

	private final Logger logger = (Logger) LoggerFactory.getLogger(LockClient.class);

	private final Lines log = new Lines();

	private final VirtualTime time = new VirtualTime();

	private final SimulatedTable table = new SimulatedTable();

	private final Node one = new Node("node-1-4f6c2a");

	private final Node two = new Node("node-2-91be07");

	@BeforeEach
	void capture() {
		this.logger.setLevel(Level.INFO);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stopCapturing() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void aDayIsLoggedAsTheDocumentationSays() throws IOException {
		this.one.log.started(this.one.settings, "region eu-west-1");
		this.two.log.started(this.two.settings, "region eu-west-1");
		contention();
		outageThatALockSurvives();
		outageInWhichALockIsLost();
		jobThatHangs();
		this.one.client.client().close();
		this.two.client.client().close();
		assertThat(this.log.lines).containsExactlyElementsOf(documented());
	}

	@Test
	void aClientThatIsBuiltLogsThatItStartedAndClosed() {
		String table = TestDynamoDb.newTableName();
		LockClient client = LockClient.builder(TestDynamoDb.client()).tableName(table).ownerName("node").build();
		client.close();
		client.close();
		assertThat(this.log.lines).hasSize(2);
		assertThat(this.log.lines.get(0))
			.startsWith("INFO Lock client '" + client.ownerName() + "' started: table '" + table + "' in region ")
			.endsWith(", lease 20 s, heartbeat every 5 s");
		assertThat(this.log.lines.get(1)).isEqualTo("INFO Lock client '" + client.ownerName() + "' closed");
	}

	@Test
	void aSingleCallThatFailsIsNotLogged() {
		LeaseHandle lock = this.one.client.acquire("stock");
		for (int i = 0; i < 20; i++) {
			this.one.table.failingCalls = 2;
			this.time.pass(Duration.ofSeconds(20));
		}
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.log.lines).isEmpty();
	}

	@Test
	void aLockWhoseKeyFailsIsLoggedWhileCallsForOtherKeysSucceed() {
		LeaseHandle stock = this.one.client.acquire("stock");
		LeaseHandle order = this.one.client.acquire("order");
		this.one.table.failingKey = LockKey.of("stock");
		this.time.pass(Duration.ofMinutes(1));
		assertThat(stock.isHeld()).isFalse();
		assertThat(order.isHeld()).isTrue();
		assertThat(this.log.lines)
			.anyMatch((line) -> line.startsWith("WARN Lock 'stock'") && line.contains(" expires in "))
			.anyMatch((line) -> line.startsWith("ERROR Lock 'stock'") && line.contains(" was lost: "))
			.noneMatch((line) -> line.contains("'order'"));
		// Each call for the other key ends an outage.
		assertThat(this.log.lines.stream().filter((line) -> line.contains("succeed again"))).hasSizeGreaterThan(1);
	}

	@Test
	void anOwnerNameFromTheTableCannotForgeALogLine() {
		Node forger = new Node("x\nERROR Lock 'stock' was lost");
		forger.client.acquire("stock");
		forger.table.isDownFor(Duration.ofHours(1));
		this.two.client.start(LockRequest.of("stock").waitTime(Duration.ofMinutes(1)));
		this.time.pass(Duration.ofMinutes(1));
		assertThat(this.log.lines).filteredOn((line) -> line.contains("was taken over from"))
			.singleElement()
			.asString()
			.contains("'x\\u000aERROR Lock 'stock' was lost'")
			.doesNotContain("\n");
	}

	@Test
	void theStackTraceOfAnOutageIsLoggedAtDebug() {
		this.logger.setLevel(Level.DEBUG);
		this.one.client.acquire("stock");
		this.one.table.failingCalls = 5;
		this.time.pass(Duration.ofSeconds(20));
		assertThat(this.log.lines).filteredOn((line) -> line.startsWith("DEBUG"))
			.containsExactly("DEBUG Stack trace of the last error");
		assertThat(this.log.stackTraces).isOne();
	}

	@Test
	void aClockThatIsOffIsLoggedOnceAndOnceAgainWhenItIsRight() {
		Node node = new Node("node-3-77aa01", BOUNDED);
		node.clockAhead = Duration.ofMillis(4_250);
		node.client.acquire("stock");
		this.time.pass(Duration.ofMinutes(1));
		node.clockAhead = Duration.ofSeconds(-3);
		this.time.pass(Duration.ofMinutes(1));
		node.clockAhead = Duration.ofMillis(-500);
		this.time.pass(Duration.ofMinutes(1));
		node.clockAhead = Duration.ofSeconds(-3);
		this.time.pass(Duration.ofMinutes(1));
		assertThat(this.log.lines).containsExactly(clockOff("4.3 s ahead of"),
				"INFO The clock of this node agrees with DynamoDB's again, so lock client 'node-3-77aa01' uses it "
						+ "again to take over expired locks",
				clockOff("3 s behind"));
	}

	private static String clockOff(String difference) {
		return "WARN The clock of this node is " + difference + " DynamoDB's, more than half the clock skew bound of "
				+ "1 s. Until the clocks agree, lock client 'node-3-77aa01' takes over expired locks only after it has "
				+ "observed them for a lease; check the node's time service (NTP)";
	}

	@Test
	void aReleaseThatFailsWhileAHandleIsClosedNamesTheLock() throws InterruptedException {
		FaultyCalls faults = new FaultyCalls();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(faults);
				LockClient client = LockClient.builder(dynamoDb)
					.tableName(TestDynamoDb.newTable().tableName())
					.build()) {
			HeldLock lock = client.acquire("stock");
			faults.inject(CallFault.denied(), LockCalls::isRelease);
			lock.close();
			assertThat(this.log.lines)
				.filteredOn((line) -> line.startsWith("WARN Lock 'stock' could not be released: The release of lock "))
				.singleElement()
				.asString()
				.contains("UpdateItem")
				.contains("is not allowed");
		}
	}

	@Test
	void withoutAClockBoundNoClockIsLogged() {
		this.one.clockAhead = Duration.ofDays(1);
		this.one.client.acquire("stock");
		this.time.pass(Duration.ofMinutes(1));
		assertThat(this.log.lines).isEmpty();
	}

	@Test
	void interruptsOfCallersAreNoOutage() {
		this.one.table.failingCalls = 10;
		this.one.table.failure = AbortedException.create("Thread was interrupted");
		for (int call = 0; call < 10; call++) {
			this.one.store.send(new Step.Read(LockKey.of("stock"), true, Step.Call.LONGEST_NANOS));
		}
		assertThat(this.log.lines).isEmpty();
	}

	/** What goes as it should is not logged. */
	private void contention() {
		LeaseHandle lock = this.one.client.acquire("stock");
		AcquisitionTask refused = this.two.client.start(LockRequest.of("stock"));
		AcquisitionTask waiting = this.two.client.start(LockRequest.of("stock").waitTime(Duration.ofMinutes(1)));
		this.time.pass(Duration.ofSeconds(30));
		this.one.client.release(lock);
		this.time.pass(Duration.ofSeconds(2));
		VirtualClient.refused(refused);
		this.two.client.release(VirtualClient.granted(waiting));
	}

	private void outageThatALockSurvives() {
		LeaseHandle lock = this.one.client.acquire("nightly-report");
		this.time.pass(Duration.ofSeconds(10));
		this.one.table.isDownFor(Duration.ofSeconds(12));
		this.time.pass(Duration.ofMinutes(1));
		this.one.client.release(lock);
	}

	private void outageInWhichALockIsLost() {
		this.one.client.acquire("nightly-report");
		this.one.table.isDownFor(Duration.ofMinutes(1));
		AcquisitionTask waiting = this.two.client
			.start(LockRequest.of("nightly-report").waitTime(Duration.ofMinutes(1)));
		this.time.pass(Duration.ofSeconds(61));
		this.one.client.start(LockRequest.of("nightly-report"));
		this.time.pass(Duration.ofSeconds(1));
		this.two.client.release(VirtualClient.granted(waiting));
	}

	private void jobThatHangs() {
		LeaseHandle lock = this.one.client.acquire(LockRequest.of("import").holdAtMost(Duration.ofHours(1)));
		this.time.pass(Duration.ofHours(2));
		this.one.client.release(lock);
	}

	private static List<String> documented() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "operations.md"));
		String section = page.substring(page.indexOf(HEADING));
		String fence = "```text\n";
		int begin = section.indexOf(fence) + fence.length();
		return section.substring(begin, section.indexOf("\n```", begin)).lines().toList();
	}

	/**
	 * A client as the builder makes it, but in virtual time.
	 */
	private final class Node {

		private final ClientSettings settings;

		private final LockLog log = new LockLog(Runnable::run);

		private final UnreliableTable table = new UnreliableTable();

		private final LockStore store;

		private final VirtualClient client;

		private Duration clockAhead = Duration.ZERO;

		Node(String ownerName) {
			this(ownerName, TERMS);
		}

		Node(String ownerName, LeaseTerms terms) {
			VirtualTime virtual = LockLogTests.this.time;
			this.settings = new ClientSettings(ownerName, terms, Duration.ofSeconds(30), null, false, null, 1000, false,
					List.of(), new ItemRules(SCHEMA));
			this.store = new OutageLoggingStore(this.table, this.settings, virtual::nanos,
					() -> virtual.wallClock().plus(this.clockAhead));
			this.client = new VirtualClient(virtual, this.store, SCHEMA, this.settings, this.log);
		}

	}

	/**
	 * The way of one client to the table.
	 */
	private final class UnreliableTable implements LockStore {

		private int failingCalls;

		private @Nullable LockKey failingKey;

		private @Nullable Throwable failure;

		private long downUntil;

		void isDownFor(Duration duration) {
			this.downUntil = LockLogTests.this.time.nanos() + duration.toNanos();
		}

		private boolean fails() {
			return this.failingCalls-- > 0 || LockLogTests.this.time.nanos() < this.downUntil;
		}

		@Override
		public Optional<ServiceTime> serviceTime() {
			Instant now = LockLogTests.this.time.wallClock();
			return Optional.of(new ServiceTime(now, now));
		}

		@Override
		public Answer send(Step.Call call) {
			if (fails() || (call instanceof Step.Write write && write.write().key().equals(this.failingKey))) {
				return new Answer.Unknown(
						throttled((call instanceof Step.Write) ? "UpdateItem" : "GetItem", this.failure));
			}
			return LockLogTests.this.table.send(call);
		}

		@Override
		public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
			throw new UnsupportedOperationException("nothing is listed here");
		}

		private static LockStoreException throttled(String operation, @Nullable Throwable cause) {
			return new LockStoreException(operation + " of table 'locks' in region eu-west-1 was throttled", cause);
		}

	}

	/**
	 * What is logged in this thread, in which everything happens; other tests run beside
	 * this one.
	 */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final Thread thread = Thread.currentThread();

		private final List<String> lines = new ArrayList<>();

		private int stackTraces;

		@Override
		protected void append(ILoggingEvent event) {
			if (Thread.currentThread() == this.thread) {
				this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
				this.stackTraces += (event.getThrowableProxy() != null) ? 1 : 0;
			}
		}

	}

}
