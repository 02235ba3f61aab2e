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
    System.out.println(met + " vectors");
    System.exit(met == 0 ? 1 : 0);
  }
}
