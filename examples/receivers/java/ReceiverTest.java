import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;

/** Run with the path of docs/webhook-vectors.json; ends with status 1 when a vector is not met. */
final class ReceiverTest {
  public static void main(String[] args) throws Exception {
    JsonObject file = JsonParser.parseString(Files.readString(Path.of(args[0]))).getAsJsonObject();
    JsonObject keys = file.getAsJsonObject("keys");
    int met = 0;
    for (JsonElement element : file.getAsJsonArray("vectors")) {
      JsonObject vector = element.getAsJsonObject();
      JsonObject headers = vector.getAsJsonObject("headers");
      JsonElement opened = null;
      String refusal = null;
      try {
        opened = Receiver.open(
            vector.get("body").getAsString().getBytes(StandardCharsets.UTF_8),
            name -> headers.has(name) ? headers.get(name).getAsString() : null,
            Instant.ofEpochSecond(vector.get("now").getAsLong()),
            (accountId, keyId) -> {
              JsonElement secret = keys.get(accountId + "/" + keyId);
              if (secret == null) {
                throw new Receiver.Refusal(401, "unknown key");
              }
              return Base64.getDecoder().decode(secret.getAsString());
            });
      } catch (Receiver.Refusal e) {
        refusal = e.getMessage();
      }
      boolean accepted = vector.get("accepted").getAsBoolean();
      if (accepted ? !vector.get("event").equals(opened) : refusal == null) {
        System.err.println(vector.get("name") + ": " + (refusal == null ? "accepted as " + opened : "refused: " + refusal));
        System.exit(1);
      }
      met++;
    }
    if (met == 0) {
      throw new AssertionError("no vectors");
    }
    eventIsDoneOnlyWhenItHasBeenProcessed();
    System.out.println(met + " vectors");
  }

  private static void eventIsDoneOnlyWhenItHasBeenProcessed() throws Receiver.Refusal {
    JsonObject event = new JsonObject();
    event.addProperty("id", "wh_1");
    try {
      Receiver.processOnce(event, e -> { throw new IllegalStateException("the database is away"); });
      throw new AssertionError("a failure was not passed on");
    } catch (IllegalStateException expected) {
      // the event is not done
    }
    int status = Receiver.processOnce(event, e -> {
      try {
        throw new AssertionError("processed twice at a time: " + Receiver.processOnce(e, again -> {}));
      } catch (Receiver.Refusal refusal) {
        equal(409, refusal.status);
      }
    });
    equal(204, status);
    equal(200, Receiver.processOnce(event, e -> { throw new IllegalStateException("not called"); }));
  }

  private static void equal(int want, int got) {
    if (want != got) {
      throw new AssertionError("answered " + got + ", not " + want);
    }
  }
}
