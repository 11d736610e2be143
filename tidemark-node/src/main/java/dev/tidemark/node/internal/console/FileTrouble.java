package dev.tidemark.node.internal.console;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What is wrong with a file, which the JDK says by the class of an exception alone. */
public final class FileTrouble {
  private FileTrouble() {}

  /** The name of the file, and what is wrong with it. */
  public static String text(IOException failure) {
    return failure instanceof FileSystemException file && file.getFile() != null
        ? file.getFile() + ": " + reason(failure)
        : reason(failure);
  }

  /** What is wrong, without the name of the file. */
  public static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException gone -> "there is no such file or directory";
      case AccessDeniedException denied -> "this user may not read or write it";
      case FileAlreadyExistsException there -> "a file is there already";
      case NotDirectoryException file -> "it is no directory";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> failure.toString();
    };
  }
}
