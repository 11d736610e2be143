package dev.tidemark.coordination;

import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The members of a group, as rows: their names, incarnations and leases.
 *
 * <p>Each method is a transition or a part of one. A process that joins under a name that is taken
 * replaces that member, which learns so at its next {@link #renew}. A member is removed by {@link
 * #expire} in the transition that gives its work to others; until then it is there, even if its
 * lease has ended. After an outage of the store all leases seem to have ended at once: a process
 * that expires members waits for one length after its own first commit, so that live members can
 * renew.
 */
public final class Members {
  private final LeaseTable table;
  private final Tuple counter;
  private final Duration length;

  /**
   * Members in rows whose keys begin with {@code prefix}.
   *
   * @param length how long a member counts as alive after each renewal
   */
  public Members(Tuple prefix, Duration length) {
    this.table = new LeaseTable(prefix.append("member"));
    this.counter = prefix.append("incarnation");
    this.length = length;
  }

  /** How long a member counts as alive after each renewal. */
  public Duration length() {
    return length;
  }

  /** Adds a member under {@code id}; it replaces a member of that name. */
  public Member join(Rows rows, String id, Tuple about, Instant now) {
    long incarnation = rows.get(counter).map(row -> Tuple.unpack(row).getLong(0)).orElse(0L) + 1;
    rows.set(counter, Tuple.of(incarnation).pack());
    Member member = new Member(id, incarnation, now.plus(length), about);
    put(rows, member);
    return member;
  }

  private void put(Rows rows, Member member) {
    table.put(
        rows, member.id(), member.until(), Tuple.of(member.incarnation()).concat(member.about()));
  }

  /** Renews the lease of {@code member}; false if it has been removed or replaced. */
  public boolean renew(Rows rows, Member member, Instant now) {
    return update(rows, member, member.about(), now);
  }

  /** The same, with something else to say of itself. */
  public boolean update(Rows rows, Member member, Tuple about, Instant now) {
    boolean there = isThere(rows, member);
    if (there) {
      put(rows, new Member(member.id(), member.incarnation(), now.plus(length), about));
    }
    return there;
  }

  /** Removes {@code member}; false if it has been removed or replaced before. */
  public boolean leave(Rows rows, Member member) {
    boolean there = isThere(rows, member);
    if (there) {
      table.remove(rows, member.id());
    }
    return there;
  }

  /**
   * Removes {@code member} if its lease has ended at {@code now}; returns whether it was removed.
   */
  public boolean expire(Rows rows, Member member, Instant now) {
    boolean over =
        find(rows, member.id())
            .filter(found -> found.incarnation() == member.incarnation() && found.isOver(now))
            .isPresent();
    if (over) {
      table.remove(rows, member.id());
    }
    return over;
  }

  /** Whether {@code member} is a member in this incarnation: the fence for its writes. */
  public boolean isThere(Rows rows, Member member) {
    return find(rows, member.id())
        .filter(found -> found.incarnation() == member.incarnation())
        .isPresent();
  }

  /** The member {@code id}, alive or not. */
  public Optional<Member> find(Rows rows, String id) {
    return table.find(rows, id).map(Members::member);
  }

  /** All members, alive or not; a transition that reads them conflicts with each change of one. */
  public List<Member> all(Rows rows) {
    return table.all(rows).stream().map(Members::member).toList();
  }

  /** All members, without conflicts: confirm each by {@link #find} or {@link #expire}. */
  public List<Member> peek(Rows rows) {
    return table.peek(rows).stream().map(Members::member).toList();
  }

  private static Member member(LeaseTable.Entry entry) {
    Tuple about = entry.about();
    return new Member(entry.id(), about.getLong(0), entry.until(), about.subTuple(1, about.size()));
  }
}
