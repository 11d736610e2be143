package dev.tidemark.changes;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Changes that the program takes one by one. Taking the next one acknowledges the one before,
 * unless the reader was told to leave that to the program. For one thread.
 */
public interface ChangeIterator extends Iterator<Delivery> {
  /**
   * The next change, if one comes within {@code wait}.
   *
   * @throws ChangeReaderException if the reader has failed
   */
  Optional<Delivery> next(Duration wait) throws InterruptedException;

  /**
   * Waits for the next change.
   *
   * @return false when the reader has ended
   * @throws ChangeReaderException if the reader has failed
   */
  @Override
  boolean hasNext();

  /**
   * Waits for the next change.
   *
   * @throws NoSuchElementException if the reader has ended
   */
  @Override
  Delivery next();
}
