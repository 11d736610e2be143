package dev.tidemark.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
  @TempDir Path directory;

  private TokenFile file(String text) throws IOException {
    return new TokenFile(Files.writeString(directory.resolve("tokens"), text));
  }

  @Test
  void eachRoleHasItsWord() throws IOException {
    TokenFile file =
        file(
            """
            # the shop
            read-only  r1

            read-write w1
            operator   o1
            node       n1
            """);

    assertThat(file.roles())
        .hasSize(4)
        .containsEntry(new AccessToken("r1"), Role.READ)
        .containsEntry(new AccessToken("w1"), Role.WRITE)
        .containsEntry(new AccessToken("o1"), Role.OPERATOR)
        .containsEntry(new AccessToken("n1"), Role.NODE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sesame", "read-only sesame more", "admin sesame"})
  void malformedLineIsNamedByNumberAndNotShown(String line) throws IOException {
    TokenFile file = file("# comment\n" + line + "\n");

    assertThatThrownBy(file::roles)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("Line 2")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void fileWithoutTokensIsRefused() throws IOException {
    TokenFile file = file("# nothing\n");

    assertThatThrownBy(file::roles)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no token");
  }

  @Test
  void clientsFileHasOneTokenAlone() throws IOException {
    assertThat(file("# mine\n sesame \n").single()).isEqualTo(new AccessToken("sesame"));

    TokenFile withRole = file("read-only sesame\n");
    assertThatThrownBy(withRole::single)
        .isInstanceOf(UsageException.class)
        .hasMessageNotContaining("sesame");
  }
}
