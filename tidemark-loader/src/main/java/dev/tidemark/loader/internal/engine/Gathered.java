package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Warehouse;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries that are to be merged together. Their rows are made by whoever comes first: the thread
 * that works ahead of the merger, or the merger.
 */
final class Gathered {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader");

  private final List<Delivery> deliveries;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private @Nullable Content content;

  Gathered(List<Delivery> deliveries) {
    this.deliveries = deliveries;
  }

  /**
   * What a batch is made of.
   *
   * @param pieces all deliveries, in the order of their arrival
   * @param rows those of the pieces, folded
   */
  record Content(
      List<Piece> pieces,
      List<Row> rows,
      List<Settler.Rejection> rejections,
      List<Delivery> ignored) {}

  List<Delivery> deliveries() {
    return deliveries;
  }

  /** The content; waits while another thread works on it. */
  Content content() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Content made = content;
      if (made == null) {
        made = make();
        content = made;
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the content and tells the warehouse what comes, unless the merger has begun. Whatever
   * fails here fails again in the merge, which knows what to do about it.
   */
  void workAhead(Warehouse warehouse, Table table) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (content != null) {
        return;
      }
      Content made = make();
      content = made;
      if (!made.rows().isEmpty()) {
        warehouse.expect(table, made.rows());
      }
    } catch (RuntimeException failure) {
      LOG.log(Level.DEBUG, "The next batch could not be made ready before its merge", failure);
    } finally {
      lock.unlock();
    }
  }

  private Content make() {
    List<Piece> pieces = new ArrayList<>(deliveries.size());
    List<Settler.Rejection> rejections = new ArrayList<>();
    List<Delivery> ignored = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      switch (delivery.mapped()) {
        case Mapping.Result.Mapped(Row row) -> pieces.add(new Piece(delivery, row));
        case Mapping.Result.Rejected(String reason) -> {
          rejections.add(new Settler.Rejection(delivery, reason));
          pieces.add(new Piece(delivery, null));
        }
        case Mapping.Result.Ignored none -> {
          ignored.add(delivery);
          pieces.add(new Piece(delivery, null));
        }
      }
    }
    return new Content(pieces, Piece.fold(pieces), rejections, ignored);
  }
}
