package dev.tidemark;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made when it is asked for first, once unless that fails. */
final class Lazy<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Supplier<T> maker;
  private @Nullable T made; // guarded by lock

  Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  T get() {
    lock.lock();
    try {
      T known = made;
      if (known == null) {
        known = maker.get();
        made = known;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }
}
