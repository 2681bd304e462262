/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Carries out a script about one lock in virtual time, and records what clients send and
 * receive, what the table has, and what callers hold. A caller such as {@code A/1} is a
 * thread of client {@code A}.
 */
final class Transcript {

	private static final Path FILES = Path.of("src", "test", "resources", "transcripts");

	/** Rarely, to keep the files short. */
	private static final Duration POLL = Duration.ofSeconds(2);

	private static final String LEGEND = """
			Lines with > are the script. A lease lasts %s ms, a heartbeat is sent at most %s ms
			after the call before it, and a call takes %s ms. The versions of the item are numbered
			as they appear, and fencing tokens count from the first one. A claim reserves %s tokens,
			of which the item has the first.

			""".formatted(VirtualClient.LEASE.toMillis(), VirtualClient.TERMS.heartbeatPeriod().toMillis(),
			VirtualEnvironment.CALL.toMillis(), LockWrite.Claim.TOKENS);

	private final VirtualTime time = new VirtualTime();

	private final RunHistory history = new RunHistory(this.time, true);

	private final SimulatedTable table = new SimulatedTable();

	private final List<CompletableFuture<ReleaseOutcome>> releases = new ArrayList<>();

	private final Map<String, VirtualClient> clients = new HashMap<>();

	private final Map<String, AcquisitionTask> acquisitions = new HashMap<>();

	private final List<String> versions = new ArrayList<>();

	private long firstToken;

	/** A caller begins to acquire the lock, which it does not wait for. */
	void tryAcquire(String caller) {
		this.history.add(caller, "> tries to acquire the lock");
		start(caller, LockRequest.of("k").waitTime(Duration.ZERO));
	}

	/** A caller begins to acquire the lock, for which it waits and polls. */
	void acquire(String caller) {
		this.history.add(caller, "> acquires the lock, polling about every", POLL.toMillis(), "ms");
		start(caller, LockRequest.of("k").waitTime(Duration.ofMinutes(1)).pollInterval(POLL));
	}

	private void start(String caller, LockRequest request) {
		this.acquisitions.put(caller,
				client(caller.replaceFirst("/.*", "")).start(request.listener(new Holder(caller))));
	}

	/** A caller begins to release the lock that it holds. */
	void release(String caller) {
		this.history.add(caller, "> releases the lock");
		LeaseHandle lock = VirtualClient.granted(Objects.requireNonNull(this.acquisitions.get(caller)));
		this.releases.add(lock.beginRelease(ReleaseRequest.create()));
	}

	/** What goes wrong with a client's next call. */
	void nextCall(String client, Fault fault) {
		this.history.add(client, "> next call:", fault.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		client(client).environment().next(fault);
	}

	/** From now on, no call of a client arrives. */
	void cutOff(String client) {
		this.history.add(client, "> is cut off from the table");
		client(client).environment().let((call) -> Course.HANGING);
	}

	void pass(Duration duration) {
		this.time.pass(duration);
	}

	/**
	 * Compares what happened with a file, or writes the file with
	 * {@code -Dreference.write=true}.
	 */
	void assertIs(String name) throws IOException {
		assertThat(this.releases).allSatisfy((release) -> assertThat(release).isCompleted());
		Path file = FILES.resolve(name + ".txt");
		String text = LEGEND + this.history.lines()
			.stream()
			.map((line) -> line.replaceFirst("^ {3}", "") + "\n")
			.collect(Collectors.joining());
		if (Boolean.getBoolean("reference.write")) {
			Files.createDirectories(FILES);
			Files.writeString(file, text);
		}
		assertThat(file).as("-Dreference.write=true writes it again").hasContent(text);
	}

	private VirtualClient client(String name) {
		return this.clients.computeIfAbsent(name, this::newClient);
	}

	private VirtualClient newClient(String name) {
		TableSchema schema = TableSchema.of("locks");
		VirtualEnvironment environment = new VirtualEnvironment(this.time, new ShownTable(), name.hashCode());
		environment.show((call) -> this.history.add(name, "sends", text(call)),
				(answer) -> this.history.add(name, "receives", text(answer)));
		return new VirtualClient(this.time, schema, VirtualClient.settings(name, schema), LockLog.NONE, environment);
	}

	private String text(Step.Call call) {
		if (call instanceof Step.Read read) {
			return read.consistent() ? "a consistent read" : "a read";
		}
		if (call instanceof Step.Mark mark) {
			return "a mark that " + mark.waiting() + " waits, and a read";
		}
		return text(((Step.Write) call).write());
	}

	private String text(LockWrite write) {
		String version = version(write.recordVersionNumber());
		if (write instanceof LockWrite.Claim claim) {
			return "a claim, " + version + ", if " + states(claim.precondition()).collect(Collectors.joining(" or "));
		}
		if (write instanceof LockWrite.Renew renew) {
			return "a heartbeat, " + version + ", if at " + version(renew.expected());
		}
		return "a release, " + version + ", if at "
				+ ((LockWrite.Release) write).expected()
					.stream()
					.map(this::version)
					.sorted()
					.collect(Collectors.joining(" or "));
	}

	private Stream<String> states(LockWrite.Precondition precondition) {
		return Stream
			.of(precondition.noItem() ? "absent" : "", precondition.released() ? "released" : "",
					(precondition.version() != null) ? "at " + version(precondition.version()) : "")
			.filter((state) -> !state.isEmpty());
	}

	private String text(Answer answer) {
		if (answer instanceof Answer.Applied applied) {
			return "success" + ((applied.wantedBy() != null) ? ", wanted by " + applied.wantedBy() : "");
		}
		if (answer instanceof Answer.Problem) {
			return "no answer";
		}
		return ((answer instanceof Answer.Refused) ? "a refusal: " : "the item: ") + text(answer.shown());
	}

	private String text(@Nullable LockRecord lock) {
		if (lock == null) {
			return "none";
		}
		String state = lock.isReleased() ? "released" : "held by " + lock.ownerName();
		return state + ", " + version(lock.recordVersionNumber()) + ", token "
				+ token(lock.fencingToken().orElseThrow());
	}

	private String version(String recordVersionNumber) {
		if (!this.versions.contains(recordVersionNumber)) {
			this.versions.add(recordVersionNumber);
		}
		return "v" + (this.versions.indexOf(recordVersionNumber) + 1);
	}

	private long token(long fencingToken) {
		this.firstToken = (this.firstToken == 0) ? fencingToken : this.firstToken;
		return fencingToken - this.firstToken + 1;
	}

	/** The table, which records what each call leaves in it. */
	private final class ShownTable implements LockStore {

		@Override
		public Answer send(Step.Call call) {
			Answer answer = Transcript.this.table.send(call);
			if (!(call instanceof Step.Read)) {
				Answer item = Transcript.this.table.send(new Step.Read(LockRequest.of("k").key(), true, 1));
				Transcript.this.history.add("table",
						(answer instanceof Answer.Refused) ? "keeps the item:" : "has the item:",
						text(item.shown()) + ((call instanceof Step.Mark mark) ? ", wanted by " + mark.waiting() : ""));
			}
			return answer;
		}

		@Override
		public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
			return Transcript.this.table.list(request, openCheck, slots);
		}

	}

	/** Records what a caller holds. */
	private final class Holder implements LockListener {

		private final String caller;

		Holder(String caller) {
			this.caller = caller;
		}

		private void note(String what, Object... details) {
			Transcript.this.history.add(this.caller, what, details);
		}

		@Override
		public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
			note((holder != null) ? "waits for " + holder.ownerName() : "waits for its turn in the client");
		}

		@Override
		public void onAcquired(HeldLock lock) {
			note("holds the lock, token", token(lock.fencingToken()));
		}

		@Override
		public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
			note("has taken it over from " + previous.ownerName() + ", which wrote nothing for", silent.toMillis(),
					"ms");
		}

		@Override
		public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
			note("is refused");
		}

		@Override
		public void onContended(HeldLock lock) {
			note("holds the lock, and another client waits");
		}

		@Override
		public void onExpiring(HeldLock lock) {
			note("holds the lock, which soon expires");
		}

		@Override
		public void onRecovered(HeldLock lock) {
			note("holds the lock, which is renewed again");
		}

		@Override
		public void onReleased(HeldLock lock) {
			note("no longer holds the lock: released");
		}

		@Override
		public void onReleaseFailed(HeldLock lock, LockException cause) {
			note("no longer holds the lock: its release failed");
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			note("no longer holds the lock: lost,", reason);
		}

	}

}
