package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static final Duration LENGTH = Duration.ofSeconds(10);

  private final ManualTime time = ManualTime.standing();
  private final ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time);
  private final Coordination place = Coordination.in(database, Subspace.of("c"));
  private final Members members = new Members(Tuple.of("group"), LENGTH);

  @AfterEach
  void close() {
    place.close();
    database.close();
  }

  private Instant now() {
    return place.storeTime().now();
  }

  private Member join(String id) {
    Instant now = now();
    return place.rows().transact(rows -> members.join(rows, id, Tuple.of("host", 7), now));
  }

  private boolean renew(Member member) {
    Instant now = now();
    return place.rows().transact(rows -> members.renew(rows, member, now));
  }

  private boolean expire(Member member) {
    Instant now = now();
    return place.rows().transact(rows -> members.expire(rows, member, now));
  }

  private boolean leave(Member member) {
    return place.rows().transact(rows -> members.leave(rows, member));
  }

  private boolean isThere(Member member) {
    return place.rows().read(rows -> members.isThere(rows, member));
  }

  private List<Member> all() {
    return place.rows().read(members::all);
  }

  @Test
  void memberIsFoundAsItJoined() {
    Member a = join("a");
    Member b = join("b");

    assertThat(all()).extracting(Member::id).containsExactly("a", "b");
    assertThat(all()).extracting(Member::about).containsOnly(Tuple.of("host", 7));
    assertThat(b.incarnation()).isGreaterThan(a.incarnation());
    assertThat(place.rows().read(members::peek)).isEqualTo(all());
  }

  @Test
  void processThatComesBackUnderItsNameReplacesItsFormerIncarnation() {
    Member before = join("a");
    Member after = join("a");

    assertThat(after.incarnation()).isGreaterThan(before.incarnation());
    assertThat(renew(before)).isFalse();
    assertThat(leave(before)).isFalse();
    assertThat(renew(after)).isTrue();
    assertThat(isThere(before)).isFalse();
    assertThat(isThere(after)).isTrue();
  }

  @Test
  void memberThatRenewsIsNotExpiredAndOneThatDoesNotIs() {
    Member lively = join("lively");
    Member silent = join("silent");
    time.advance(Duration.ofSeconds(6));
    assertThat(renew(lively)).isTrue();
    time.advance(Duration.ofSeconds(6));

    assertThat(expire(lively)).isFalse();
    assertThat(expire(silent)).isTrue();
    assertThat(all()).extracting(Member::id).containsExactly("lively");
    assertThat(renew(silent)).isFalse();
  }

  @Test
  void incarnationsAreNotUsedAgainAfterAllHaveLeft() {
    Member first = join("a");
    leave(first);

    assertThat(join("a").incarnation()).isGreaterThan(first.incarnation());
  }

  @Test
  void memberMayChangeWhatItSaysOfItself() {
    Member a = join("a");
    Instant now = now();
    place.rows().transact(rows -> members.update(rows, a, Tuple.of("elsewhere"), now));

    assertThat(all()).extracting(Member::about).containsExactly(Tuple.of("elsewhere"));
  }
}
