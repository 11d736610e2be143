package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Message.Fact;
import dev.tidemark.chaos.run.Message.Fact.What;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.pulse.pool.PoolClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A round in which several processes share a stream and two pools while they are killed, or stand
 * still for longer than their lease. In the end the processes that are left must finish all events
 * and jobs.
 */
final class PulseRound implements AutoCloseable {
  private static final int MEMBERS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAUSE_MILLIS_MAX = 3_000;
  private static final int STEP_MILLIS_MAX = 700;

  private final int number;
  private final Workspace workspace;
  private final Settings settings;
  private final SplittableRandom random;
  private final PulseTally tally;
  private final String address;
  private final List<ChildProcess> members = new ArrayList<>();
  private final List<Fact> told = new ArrayList<>();
  private final List<Message.Owned> owned = new ArrayList<>();
  private int incarnation;
  private int kills;
  private int pauses;
  private String notes = "";

  PulseRound(
      int number,
      Workspace workspace,
      Settings settings,
      SplittableRandom random,
      PulseTally tally,
      String address) {
    this.number = number;
    this.workspace = workspace;
    this.settings = settings;
    this.random = random;
    this.tally = tally;
    this.address = address;
  }

  /** What happened, for people. */
  String notes() {
    return notes;
  }

  void run() throws InterruptedException {
    for (int i = 0; i < MEMBERS; i++) {
      members.add(startMember());
    }
    long longest = settings.longestRun().toNanos();
    long end = System.nanoTime() + random.nextLong(longest / 2, longest);
    while (System.nanoTime() < end && tally.findings.clean()) {
      Thread.sleep(random.nextInt(STEP_MILLIS_MAX));
      disturb();
    }
    for (ChildProcess member : members) {
      member.say(PulseMember.REST);
    }
    try (PulseAccess access = PulseAccess.open(address)) {
      awaitEffects(access);
      awaitOwners();
      stopJobs(access);
    }
    for (ChildProcess member : members) {
      collect(member);
    }
    judge();
  }

  private ChildProcess startMember() throws InterruptedException {
    String name = "m%d.%d".formatted(number, ++incarnation);
    ChildProcess member = PulseMember.start(workspace, name, address);
    if (member.await(Message.Opened.class, PATIENCE).isEmpty()) {
      member.close();
      throw new IllegalStateException("A member does not start: " + member.errors());
    }
    return member;
  }

  private void disturb() throws InterruptedException {
    int seat = random.nextInt(MEMBERS);
    ChildProcess member = members.get(seat);
    if (random.nextInt(3) == 0) {
      pauses++;
      tally.pause();
      member.signal("STOP");
      Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
      member.signal("CONT");
    } else {
      kills++;
      tally.kill();
      collect(member);
      members.set(seat, startMember());
    }
  }

  /** Kills a member and takes what it has told. */
  private void collect(ChildProcess member) throws InterruptedException {
    if (member.ended()) {
      tally.findings.broken("a member ended by itself: %s".formatted(member.errors()));
    }
    member.kill();
    member.close();
    told.addAll(member.facts());
    owned.addAll(member.owned());
    member.complaints().forEach(tally.findings::broken);
  }

  /** All that has been told, by those who are gone and by those who are here. */
  private List<Fact> facts() {
    List<Fact> all = new ArrayList<>(told);
    members.forEach(member -> all.addAll(member.facts()));
    return all;
  }

  private static Set<String> names(List<Fact> facts, What what) {
    Set<String> names = new HashSet<>();
    facts.stream().filter(fact -> fact.what() == what).map(Fact::name).forEach(names::add);
    return names;
  }

  /** Waits until every event and every job that ends by itself has had its effect. */
  private void awaitEffects(PulseAccess access) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<Fact> facts = facts();
      Set<String> missing = names(facts, What.ADDED);
      missing.addAll(names(facts, What.QUEUED));
      if (access.database().isPresent()) {
        missing.removeAll(access.effects().keySet());
      } else {
        missing.removeAll(names(facts, What.DELIVERED));
        missing.removeAll(names(facts, What.RAN));
      }
      if (missing.isEmpty()) {
        break;
      }
      if (System.nanoTime() > deadline) {
        missing.stream().limit(10).forEach(this::lost);
        tally.findings.broken(missing.size() + " are missing; members say: " + errors());
        break;
      }
      Thread.sleep(100);
    }
    if (access.database().isPresent()) {
      access
          .effects()
          .forEach(
              (name, times) -> {
                if (times > 1) {
                  tally.duplicate(name + " " + times + " times");
                }
              });
    }
  }

  private void lost(String name) {
    if (name.startsWith("e-")) {
      tally.findings.lost(name);
    } else {
      tally.lostJob(name);
    }
  }

  private String errors() {
    return String.join("; ", members.stream().map(ChildProcess::errors).toList());
  }

  /** Waits until every job that lasts runs at one member, and no job at two. */
  private void awaitOwners() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Set<String> wanted = names(facts(), What.DISPATCHED);
    while (true) {
      Map<String, Integer> owners = report();
      List<String> wrong = wanted.stream().filter(key -> owners.getOrDefault(key, 0) != 1).toList();
      if (wrong.isEmpty()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        for (String key : wrong) {
          if (owners.containsKey(key)) {
            tally.doubleOwner(key + " runs at " + owners.get(key) + " members");
          } else {
            tally.lostJob(key);
          }
        }
        tally.findings.broken("members say: " + errors());
        return;
      }
      Thread.sleep(200);
    }
  }

  /** How many members run each job now. */
  private Map<String, Integer> report() throws InterruptedException {
    Map<String, Integer> owners = new HashMap<>();
    for (ChildProcess member : members) {
      int before = member.facts().size();
      member.say(PulseMember.REPORT);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (reported(member, before) < 0 && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      List<Fact> facts = member.facts();
      for (Fact fact : facts.subList(before, facts.size())) {
        if (fact.what() == What.RUNNING) {
          owners.merge(fact.name(), 1, Integer::sum);
        }
      }
    }
    return owners;
  }

  private static int reported(ChildProcess member, int from) {
    List<Fact> facts = member.facts();
    for (int i = from; i < facts.size(); i++) {
      if (facts.get(i).what() == What.REPORTED) {
        return i;
      }
    }
    return -1;
  }

  private void stopJobs(PulseAccess access) {
    try (PoolClient client = access.pulse().poolClient(PulseMember.LASTING)) {
      for (String key : client.jobKeys()) {
        client.stop(key);
      }
    }
  }

  /** No epoch of a job was started by two members, and no job was owned by two at a time. */
  private void judge() {
    Owners.overlaps(owned).forEach(tally::doubleOwner);
    Set<String> started = new HashSet<>();
    for (Fact fact : told) {
      if (fact.what() == What.STARTED && !started.add(fact.name() + "@" + fact.number())) {
        tally.doubleOwner(
            "%s was started twice with epoch %d".formatted(fact.name(), fact.number()));
      }
    }
    int events = names(told, What.ADDED).size();
    int jobs = names(told, What.DISPATCHED).size() + names(told, What.QUEUED).size();
    tally.acknowledged(events);
    tally.jobs(jobs);
    notes = "%d kills, %d pauses, %,d events, %,d jobs".formatted(kills, pauses, events, jobs);
  }

  @Override
  public void close() {
    members.forEach(ChildProcess::close);
  }
}
