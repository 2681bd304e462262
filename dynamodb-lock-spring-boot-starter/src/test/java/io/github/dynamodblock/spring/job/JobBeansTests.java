/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Jobs of beans that are refreshed, created late or destroyed, and jobs with a key.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class JobBeansTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final Instant TICK = Instant.parse("2020-01-01T02:00:00Z");

	@Test
	void aJobWhoseBeanIsRefreshedHasTheNewSchedule(EmbeddedDynamoDb dynamoDb) {
		refreshable(dynamoDb).run((node) -> {
			create(node);
			JobNode.tick(node, "run", TICK);
			refresh(node, "0 30 2 1 1 *");
			create(node);
			JobNode.tick(node, "run", TICK.plus(Duration.ofMinutes(30)));
			assertThat(Refreshed.beans(node)).extracting(Refreshed::runs).containsExactly(1, 1);
			assertThat(JobNode.record(node, "refreshed").tick()).hasValue(TICK.plus(Duration.ofMinutes(30)));
			assertThat(node.getBean(LockedJobs.class).all()).extracting(LockedJob::schedule)
				.extracting(Object::toString)
				.containsExactly("cron 0 30 2 1 1 * in UTC");
		});
	}

	@Test
	void aRefreshedBeanWhoseScheduleIsInvalidIsRefusedUntilThatIsCorrected(EmbeddedDynamoDb dynamoDb) {
		refreshable(dynamoDb).run((node) -> {
			create(node);
			JobNode.tick(node, "run", TICK);
			refresh(node, "at noon");
			assertThatException().isThrownBy(() -> node.getBean("jobs"))
				.havingRootCause()
				.withMessageContaining("at noon");
			refresh(node, "0 30 2 1 1 *");
			create(node);
			JobNode.tick(node, "run", TICK.plus(Duration.ofMinutes(30)));
			assertThat(JobNode.record(node, "refreshed").tick()).hasValue(TICK.plus(Duration.ofMinutes(30)));
			assertThat(node.getBean(LockedJobs.class).all()).hasSize(1);
		});
	}

	@Test
	void aCallOfADestroyedBeanIsNoTick(EmbeddedDynamoDb dynamoDb) {
		refreshable(dynamoDb).run((node) -> {
			Object destroyed = create(node);
			refresh(node, "0 0 2 1 1 *");
			node.getBean("jobs");
			node.getBean(JobNode.Clock.class).set(TICK);
			call(destroyed, "run");
			assertThat(Refreshed.beans(node)).extracting(Refreshed::runs).containsExactly(0, 0);
			JobNode.tick(node, "run", TICK);
			assertThat(Refreshed.beans(node)).extracting(Refreshed::runs).containsExactly(0, 1);
		});
	}

	@Test
	void aPrototypeThatIsDestroyedThroughItsProxyHasNoJob(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Object.class).withUserConfiguration(Prototypes.class).run((node) -> {
			Object prototype = node.getBean("prototype");
			assertThat(node.getBean(LockedJobs.class).all()).hasSize(1);
			node.getSourceApplicationContext(ConfigurableApplicationContext.class)
				.getBeanFactory()
				.destroyBean("prototype", prototype);
			assertThat(node.getBean(LockedJobs.class).all()).isEmpty();
		});
	}

	@Test
	void aBeanWhoseTargetMayChangeRunsItsTicks(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Object.class).withUserConfiguration(Swappable.class).run((node) -> {
			node.getBean(JobNode.Clock.class).set(NOON);
			call(node.getBean("swappable"), "run");
			assertThat(JobNode.record(node, "tenants:a").outcome()).hasValue(JobOutcome.SUCCEEDED);
			node.getBean(HotSwappableTargetSource.class).swap(new Tenants());
			node.getBean(JobNode.Clock.class).set(NOON.plusSeconds(60));
			call(node.getBean("swappable"), "run");
			assertThat(JobNode.record(node, "tenants:a").tick()).hasValue(NOON.plusSeconds(60));
		});
	}

	@Test
	void aRerunCallsTheBeanThatExistsThen(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = refreshable(dynamoDb);
		node.run((owner) -> node.run((watching) -> {
			create(owner);
			create(watching);
			crashDuringTick(owner, () -> JobNode.tick(watching, "run", TICK));
			refresh(watching, "0 0 2 1 1 *");
			watching.getBean("jobs");
			await().untilAsserted(
					() -> assertThat(Refreshed.beans(watching)).extracting(Refreshed::runs).containsExactly(0, 1));
		}));
	}

	@Test
	void aJobIsRunNowByTheBeanThatExistsThen(EmbeddedDynamoDb dynamoDb) {
		refreshable(dynamoDb).run((node) -> {
			node.getBean("jobs");
			refresh(node, "0 0 2 1 1 *");
			node.getBean("jobs");
			JobNode.runNow(node, "refreshed");
			await().untilAsserted(
					() -> assertThat(Refreshed.beans(node)).extracting(Refreshed::runs).containsExactly(0, 1));
		});
	}

	@Test
	void aCrashedRunOfAJobWithAKeyIsRunAgainByANodeThatComesUp(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = JobNode.of(dynamoDb, Regional.class)
			.withPropertyValues("dynamodb-lock.lease-duration=2s");
		node.run((crashing) -> JobNode.recordCrash(crashing, "regional:north", TICK));
		node.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + TICK.plusSeconds(60))
			.run((next) -> await().untilAsserted(
					() -> assertThat(next.getBean(JobNode.Events.class).all()).contains("succeeded " + TICK + " #2")));
	}

	@Test
	void aTickWhoseBeanIsGoneIsReported(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner node = refreshable(dynamoDb);
		node.run((owner) -> node.run((watching) -> {
			create(owner);
			create(watching);
			crashDuringTick(owner, () -> JobNode.tick(watching, "run", TICK));
			refresh(watching, "0 0 2 1 1 *");
			await().untilAsserted(() -> assertThat(log).contains("WARN", "job 'refreshed' (",
					"is due, but no bean on this node has it any more"));
			assertThat(watching.getBean(LockedJobs.class).all()).isEmpty();
			assertThat(Refreshed.beans(watching)).extracting(Refreshed::runs).containsExactly(0);
		}));
	}

	@Test
	void aJobWithAKeyMakesUpForMissedTicks(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = JobNode.of(dynamoDb, Regional.class);
		node.run((first) -> JobNode.recordRun(first, "regional:north", TICK));
		node.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=2023-05-01T12:00:00Z")
			.run((later) -> await().untilAsserted(() -> assertThat(later.getBean(JobNode.Events.class).all())
				.containsExactly("missed [2021-01-01T02:00:00Z, 2022-01-01T02:00:00Z], run once",
						"started 2023-01-01T02:00:00Z #1", "succeeded 2023-01-01T02:00:00Z #1")));
	}

	@Test
	void aJobOfABeanThatIsCreatedLateMakesUpForMissedTicks(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = JobNode.of(dynamoDb, Object.class)
			.withUserConfiguration(Scheduling.class, Late.class)
			.withPropertyValues("clock=2023-05-01T12:00:00Z");
		node.run((first) -> {
			first.getBean("late");
			JobNode.recordRun(first, "regional:north", TICK);
		});
		node.run((later) -> {
			assertThat(later.getBean(LockedJobs.class).all()).isEmpty();
			later.getBean("late");
			assertThat(later.getBean(LockedJobs.class).find("regional:north")).isPresent();
			await().untilAsserted(() -> assertThat(later.getBean(JobNode.Events.class).all())
				.contains("succeeded 2023-01-01T02:00:00Z #1"));
		});
	}

	@Test
	void beansWhoseKeysDifferHaveEachTheirTicks(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Tenants.class).withBean("others", Tenants.class).run((node) -> {
			node.getBean("others", Tenants.class).tenant("b");
			for (Instant time : List.of(NOON, NOON.plusSeconds(115))) {
				node.getBean(JobNode.Clock.class).set(time);
				call(node.getBean("jobs"), "run");
				call(node.getBean("others"), "run");
			}
			for (String id : List.of("tenants:a", "tenants:b")) {
				assertThat(JobNode.record(node, id).tick()).as(id).hasValue(NOON.plusSeconds(60));
			}
		});
	}

	@Test
	void anOutageIsOneWarningForAllKeysOfAJob(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		JobNode.of(dynamoDb, Tenants.class, calls::attach).run((node) -> {
			calls.deny((request) -> true);
			for (int minute = 0; minute < 5; minute++) {
				node.getBean(Tenants.class).tenant("tenant-" + minute);
				JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(minute)));
			}
			assertThat(log.toString()
				.lines()
				.filter((line) -> line.contains("job 'tenants:tenant-") && line.contains("cannot start on this node")))
				.hasSize(1);
		});
	}

	@Test
	void aKeyThatSelectsSeveralLocksIsReported(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		JobNode.of(dynamoDb, Several.class)
			.run((node) -> assertThat(log).contains(" WARN ",
					"Several.run() selects 2 locks, so its calls have plain locks"));
	}

	@Test
	void aJobThatTwoClassesInheritMayHaveAKeyAndNeedsOne() {
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean(North.class)
			.withBean(South.class)
			.run((context) -> assertThat(context).hasNotFailed());
		LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean("first", FirstReport.class)
			.withBean("second", SecondReport.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("Report.run(): the beans 'first' and 'second' have this job",
						"set a key that differs between the beans"));
	}

	private static ApplicationContextRunner refreshable(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withInitializer((context) -> context.getBeanFactory().registerScope("refresh", new RefreshScope()))
			.withBean(JobNode.IdleScheduling.class)
			.withBean("clock", JobNode.Clock.class)
			.withBean("events", JobNode.Events.class)
			.withBean(Created.class)
			.withUserConfiguration(Refreshable.class)
			.withPropertyValues("cron=0 0 2 1 1 *");
	}

	/**
	 * Creates the bean of a job whose record is unknown. The node reads that in another
	 * thread, which would start a tick that is called meanwhile.
	 */
	private static Object create(ApplicationContext node) {
		JobNode.Events events = node.getBean(JobNode.Events.class);
		int before = events.records();
		Object bean = node.getBean("jobs");
		await().until(() -> events.records() > before);
		return bean;
	}

	private static void refresh(AssertableApplicationContext node, String cron) {
		ConfigurableApplicationContext context = node.getSourceApplicationContext(ConfigurableApplicationContext.class);
		TestPropertyValues.of("cron=" + cron).applyTo(context);
		((RefreshScope) Objects.requireNonNull(context.getBeanFactory().getRegisteredScope("refresh"))).refresh();
	}

	/** The owner dies in a run, after another node was refused the same tick. */
	private static void crashDuringTick(ApplicationContext owner, Runnable refused) {
		owner.getBean(Refreshed.class).during(() -> {
			refused.run();
			owner.getBean(LockClient.class).closeWithoutReleasing();
		});
		JobNode.tick(owner, "run", TICK);
	}

	/** Calls a method of a bean as Spring's scheduler does. */
	private static void call(Object bean, String name) {
		Method method = Objects.requireNonNull(ReflectionUtils.findMethod(AopUtils.getTargetClass(bean), name));
		new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(method, bean.getClass())).run();
	}

	/** A scope whose beans are destroyed together, and created when they are needed. */
	private static final class RefreshScope implements Scope {

		private final Map<String, Object> beans = new ConcurrentHashMap<>();

		private final Map<String, Runnable> destructions = new ConcurrentHashMap<>();

		void refresh() {
			this.beans.clear();
			this.destructions.values().forEach(Runnable::run);
			this.destructions.clear();
		}

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			Object bean = this.beans.get(name);
			if (bean == null) {
				bean = factory.getObject();
				this.beans.put(name, bean);
			}
			return bean;
		}

		@Override
		public Object remove(String name) {
			return Objects.requireNonNull(this.beans.remove(name));
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
			this.destructions.put(name, callback);
		}

	}

	/** The beans that a scope has created. */
	static class Created {

		private final List<Refreshed> all = new CopyOnWriteArrayList<>();

	}

	static class Refreshed {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile Runnable body = () -> {
		};

		Refreshed(Created created) {
			created.all.add(this);
		}

		static List<Refreshed> beans(ApplicationContext node) {
			return node.getBean(Created.class).all;
		}

		void during(Runnable body) {
			this.body = body;
		}

		int runs() {
			return this.runs.get();
		}

		@Scheduled(cron = "${cron}", zone = "UTC")
		@ScheduledLock("refreshed")
		public void run() {
			this.runs.incrementAndGet();
			this.body.run();
		}

	}

	static class Regional {

		public String region() {
			return "north";
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "regional", key = "#root.target.region()", onMissed = OnMissed.RUN_ONCE)
		public void run() {
		}

	}

	static class Tenants {

		private volatile String tenant = "a";

		void tenant(String tenant) {
			this.tenant = tenant;
		}

		public String tenant() {
			return this.tenant;
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock(name = "tenants", key = "#root.target.tenant()")
		public void run() {
		}

	}

	static class Several {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "several", key = "{'a', 'b'}")
		public void run() {
		}

	}

	abstract static class Region {

		public String region() {
			return getClass().getSimpleName();
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "region", key = "#root.target.region()")
		public void run() {
		}

	}

	static class North extends Region {

	}

	static class South extends Region {

	}

	abstract static class Report {

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("inherited")
		public void run() {
		}

	}

	static class FirstReport extends Report {

	}

	static class SecondReport extends Report {

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		@Bean
		@org.springframework.context.annotation.Scope("prototype")
		Regional prototype() {
			return new Regional();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Swappable {

		@Bean
		HotSwappableTargetSource source() {
			return new HotSwappableTargetSource(new Tenants());
		}

		@Bean
		ProxyFactoryBean swappable(HotSwappableTargetSource source) {
			ProxyFactoryBean swappable = new ProxyFactoryBean();
			swappable.setTargetSource(source);
			swappable.setProxyTargetClass(true);
			swappable.setInterceptorNames("distributedLockAdvisor");
			return swappable;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		@Lazy
		Regional late() {
			return new Regional();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Refreshable {

		@Bean
		@org.springframework.context.annotation.Scope("refresh")
		Refreshed jobs(Created created) {
			return new Refreshed(created);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
