package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Get;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.ReaderOpened;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.Rows;
import dev.tidemark.remote.internal.wire.ServerFrame;
import dev.tidemark.remote.internal.wire.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The vectors of docs/formats/remote.md are what the code writes. */
class WireFormatTest {
  private static final ByteString A = ByteString.copyFromUtf8("a");
  private static final ByteString X = ByteString.copyFromUtf8("x");

  @Test
  void frameOfReadsIsTheDocumentedOne() throws IOException {
    assertDocumented(
        ClientFrame.newBuilder()
            .addRequests(Request.newBuilder().setId(1).setHello(Hello.newBuilder().setProtocol(2)))
            .addRequests(
                Request.newBuilder().setId(2).setOpenReader(OpenReader.newBuilder().setReader(7)))
            .addRequests(
                Request.newBuilder().setId(3).setGet(Get.newBuilder().setReader(7).setKey(A)))
            .build()
            .toByteArray());
  }

  @Test
  void greetingWithAnIdIsTheDocumentedOne() throws IOException {
    byte[] id = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    Hello hello = Hello.newBuilder().setProtocol(2).setClient(ByteString.copyFrom(id)).build();
    assertDocumented(
        ClientFrame.newBuilder()
            .addRequests(Request.newBuilder().setId(1).setHello(hello))
            .build()
            .toByteArray());
  }

  @Test
  void commitIsTheDocumentedOne() throws IOException {
    CommitWrites.Builder commit =
        CommitWrites.newBuilder()
            .setReadVersion(5)
            .addReadKeys(A)
            .addMutations(Mutation.newBuilder().setType(Mutation.Type.SET).setKey(A).setOperand(X));
    assertDocumented(
        ClientFrame.newBuilder()
            .addRequests(Request.newBuilder().setId(5).setCommitWrites(commit))
            .build()
            .toByteArray());
  }

  @Test
  void frameOfRepliesIsTheDocumentedOne() throws IOException {
    ByteString row = ByteString.copyFrom(new byte[] {1, 'a', 1, 'x'});
    assertDocumented(
        ServerFrame.newBuilder()
            .addReplies(
                Reply.newBuilder()
                    .setId(2)
                    .setReaderOpened(ReaderOpened.newBuilder().setVersion(5)))
            .addReplies(
                Reply.newBuilder().setId(3).setValue(Value.newBuilder().setValue(X).setVersion(5)))
            .addReplies(
                Reply.newBuilder().setId(4).setRows(Rows.newBuilder().setPacked(row).setMore(true)))
            .build()
            .toByteArray());
  }

  private static void assertDocumented(byte[] frame) throws IOException {
    String root = System.getProperty("tidemark.root", "..");
    String page = Files.readString(Path.of(root, "docs", "formats", "remote.md"));
    String digits = page.replaceAll("\\s+", " ");
    assertThat(digits).contains(HexFormat.ofDelimiter(" ").formatHex(frame));
  }
}
