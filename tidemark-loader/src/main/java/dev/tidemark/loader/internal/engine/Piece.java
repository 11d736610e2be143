package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delivery in a batch, with its row if it has one. */
record Piece(Delivery delivery, @Nullable Row row) {
  Piece withoutRow() {
    return new Piece(delivery, null);
  }

  /** The rows of {@code pieces}; of several rows with one key, only the one published last. */
  static List<Row> fold(List<Piece> pieces) {
    Map<RowKey, Integer> places = HashMap.newHashMap(pieces.size());
    List<Row> rows = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      Row row = piece.row();
      if (row != null) {
        Integer place = places.putIfAbsent(piece.delivery().key(), rows.size());
        if (place == null) {
          rows.add(row);
        } else if (row.message().compareTo(rows.get(place).message()) > 0) {
          rows.set(place, row);
        }
      }
    }
    return rows;
  }

  static long rowsOf(List<Piece> pieces) {
    return pieces.stream().filter(piece -> piece.row() != null).count();
  }

  static List<Delivery> deliveriesOf(List<Piece> pieces) {
    return pieces.stream().map(Piece::delivery).toList();
  }

  /** The position behind {@code pieces}, if their source is in order. */
  static Optional<String> positionOf(List<Piece> pieces) {
    return pieces.getLast().delivery().message().position();
  }
}
