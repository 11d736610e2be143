package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RelationshipException;
import dev.tidemark.records.internal.index.Claims;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.store.Relations.Referrer;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plan of a delete: the records to delete with it, the references to remove, and the records
 * that forbid it. The plan is complete before anything is written.
 */
final class DeletePlan {
  /** The largest number of records that one delete deletes or changes. */
  static final int RECORDS_MAX = 10_000;

  private final Space space;
  private final Transaction tx;
  private final Set<Victim> deleted = new LinkedHashSet<>();
  private final Map<Victim, List<Lost>> changed = new LinkedHashMap<>();
  private final List<Forbidden> forbidden = new ArrayList<>();

  /** A record that is deleted or changed. */
  private record Victim(RecordType<?> type, Tuple primaryKey) {}

  /** A reference that a record loses. */
  record Lost(int field, Tuple target) {}

  /** A record that forbids the delete of another, unless it is deleted with it. */
  private record Forbidden(Victim holder, String field, Victim target) {}

  private DeletePlan(Space space, Transaction tx) {
    this.space = space;
    this.tx = tx;
  }

  /** The steps that delete records; each is checked and only has to be applied. */
  static List<Pending> of(
      Space space, Transaction tx, RecordType<?> type, Collection<Tuple> primaryKeys) {
    DeletePlan plan = new DeletePlan(space, tx);
    plan.collect(primaryKeys.stream().map(key -> new Victim(type, key)).toList());
    plan.checkAllowed();
    return plan.steps();
  }

  private void collect(List<Victim> first) {
    Deque<Victim> open = new ArrayDeque<>(first);
    deleted.addAll(first);
    while (!open.isEmpty()) {
      Victim victim = open.remove();
      Relations relations = Records.of(space, victim.type()).writes().relations();
      for (Referrer referrer : relations.referrers()) {
        for (Tuple holder : relations.referring(tx, referrer, victim.primaryKey())) {
          follow(new Victim(referrer.type(), holder), referrer, victim, open);
        }
      }
      if (deleted.size() + changed.size() > RECORDS_MAX) {
        throw new RelationshipException(
            "The delete of the %s %s takes more than %,d records with it; delete some of them first"
                .formatted(victim.type().name(), victim.primaryKey(), RECORDS_MAX));
      }
    }
  }

  private void follow(Victim holder, Referrer referrer, Victim target, Deque<Victim> open) {
    switch (referrer.onDelete()) {
      case CASCADE -> {
        if (deleted.add(holder)) {
          open.add(holder);
        }
      }
      case NULLIFY ->
          changed
              .computeIfAbsent(holder, key -> new ArrayList<>())
              .add(new Lost(referrer.field().number(), target.primaryKey()));
      case RESTRICT -> forbidden.add(new Forbidden(holder, referrer.field().name(), target));
      case NO_ACTION -> {}
    }
  }

  private void checkAllowed() {
    for (Forbidden one : forbidden) {
      if (!deleted.contains(one.holder()) && isThere(one.holder())) {
        throw new RelationshipException(
            "The %s %s cannot be deleted: the %s %s refers to it in '%s', whose rule is %s"
                .formatted(
                    one.target().type().name(),
                    one.target().primaryKey(),
                    one.holder().type().name(),
                    one.holder().primaryKey(),
                    one.field(),
                    DeleteRule.RESTRICT));
      }
    }
  }

  /** An expired record forbids nothing, although it has entries until it is swept. */
  private boolean isThere(Victim holder) {
    return Records.of(space, holder.type()).isThere(tx, holder.primaryKey());
  }

  private List<Pending> steps() {
    List<Pending> steps = new ArrayList<>();
    Claims claims = new Claims();
    changed.forEach(
        (holder, lost) -> {
          if (!deleted.contains(holder)) {
            steps.add(
                Records.of(space, holder.type())
                    .writes()
                    .prepareUnlink(tx, holder.primaryKey(), lost, claims));
          }
        });
    for (Victim victim : deleted) {
      steps.add(Records.of(space, victim.type()).writes().prepareDelete(tx, victim.primaryKey()));
    }
    steps.add(() -> space.activity().delete(deleted.size()));
    return steps;
  }
}
