import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A webhook receiver: {@code java -cp /usr/share/java/gson.jar Receiver.java} (Debian: libgoogle-gson-java).
 *
 * <p>REQUISITE_WEBHOOK_KEYS names a JSON file {"ACCOUNT_ID/KEY_ID": "SHARED_SECRET"}; PORT is 8080 unless set.
 *
 * <p>The order of the checks is what makes this safe. The clear fields of a body only choose the secret; nothing else
 * is done with them until the decryption has shown who wrote them. An id is remembered only after the event has been
 * processed, and success is answered only after that, so that an event which could not be processed comes again.
 */
public final class Receiver {
  static final int MAX_BODY = 1 << 20;
  static final long MAX_AGE_SECONDS = 5 * 60;
  static final List<String> CLEAR_FIELDS =
      List.of("id", "event_type", "timestamp", "account_id", "schema_version", "key_id", "retry_count");
  static final List<String> OPTIONAL_FIELDS =
      List.of("sequence", "replay"); // in the body and the protected header, or in neither

  /**
   * What the sender is told. The status is never 410, which would disable the endpoint: after any other refusal the
   * event is sent again later.
   */
  static final class Refusal extends Exception {
    final int status;

    Refusal(int status, String reason) {
      super(reason);
      this.status = status;
    }
  }

  /** Finds the key of an account_id and a key_id; key ids repeat across accounts. */
  interface Secrets {
    byte[] find(String accountId, String keyId) throws Refusal, IOException;
  }

  /** Returns the event of a request once all of it is known to come from the service. */
  static JsonObject open(byte[] body, UnaryOperator<String> headers, Instant now, Secrets secrets)
      throws Refusal, IOException {
    JsonObject envelope = object(body, 400, "the body is not a JSON object");
    byte[] key = secrets.find(text(envelope, "account_id"), text(envelope, "key_id"));
    String token = text(envelope, "data");

    JsonObject trusted;
    JsonObject payload;
    try {
      String[] parts = token.split("\\.", -1);
      payload = object(decrypt(parts, key), 400, "the decrypted data is not a JSON object");
      trusted = object(decode(parts[0]), 400, "the protected header is not a JSON object");
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Refusal(401, "data does not decrypt with the secret of this account_id and key_id");
    }

    // From here on the header is trusted, and the body as far as it says the same.
    trusted.add("key_id", trusted.get("kid"));
    for (String field : CLEAR_FIELDS) {
      if (!trusted.has(field) || !trusted.get(field).equals(envelope.get(field))) {
        throw new Refusal(401, field + " differs from the protected header");
      }
    }
    for (String field : OPTIONAL_FIELDS) {
      if (!Objects.equals(trusted.get(field), envelope.get(field))) {
        throw new Refusal(401, field + " differs from the protected header");
      }
    }
    String issuedAt = trusted.has("iat") ? trusted.get("iat").toString() : "";
    if (!text(trusted, "id").equals(headers.apply("webhook-id")) || !issuedAt.equals(headers.apply("webhook-timestamp"))) {
      throw new Refusal(401, "the request's headers differ from the protected header");
    }
    if (!issuedAt.matches("[0-9]{1,12}") || Math.abs(now.getEpochSecond() - Long.parseLong(issuedAt)) > MAX_AGE_SECONDS) {
      throw new Refusal(401, "iat is more than five minutes away from this machine's clock");
    }
    JsonObject event = new JsonObject();
    CLEAR_FIELDS.forEach(field -> event.add(field, trusted.get(field)));
    OPTIONAL_FIELDS.stream().filter(trusted::has).forEach(field -> event.add(field, trusted.get(field)));
    if (new JsonPrimitive(true).equals(payload.get("test"))) {
      event.addProperty("test", true);
    }
    event.add("data", payload);
    return event;
  }

  /**
   * Decrypts a compact JWE (RFC 7516) of the one form that is accepted, whatever the token says of itself: dir and
   * A256GCM, for which the JDK has all that is needed. A JOSE library does the same, if you have one.
   */
  static byte[] decrypt(String[] parts, byte[] key) throws GeneralSecurityException, Refusal {
    if (parts.length != 5 || !parts[1].isEmpty()) { // with dir there is no encrypted key
      throw new Refusal(400, "data is not a compact JWE with dir");
    }
    JsonObject header = object(decode(parts[0]), 400, "the protected header is not a JSON object");
    if (!text(header, "alg").equals("dir") || !text(header, "enc").equals("A256GCM")) {
      throw new Refusal(400, "data is not encrypted with dir and A256GCM");
    }
    if (header.has("crit") || header.has("zip")) {
      throw new Refusal(400, "data uses an extension that webhooks do not");
    }
    byte[] nonce = decode(parts[2]);
    byte[] ciphertext = decode(parts[3]);
    byte[] tag = decode(parts[4]);
    if (key.length != 32 || nonce.length != 12 || tag.length != 16) {
      throw new GeneralSecurityException("a key, nonce or tag of another length");
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(parts[0].getBytes(StandardCharsets.US_ASCII));
    byte[] sealed = new byte[ciphertext.length + tag.length];
    System.arraycopy(ciphertext, 0, sealed, 0, ciphertext.length);
    System.arraycopy(tag, 0, sealed, ciphertext.length, tag.length);
    return cipher.doFinal(sealed);
  }

  static byte[] decode(String base64url) {
    return Base64.getUrlDecoder().decode(base64url);
  }

  static JsonObject object(byte[] json, int status, String otherwise) throws Refusal {
    try {
      return JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonObject();
    } catch (RuntimeException e) {
      throw new Refusal(status, otherwise);
    }
  }

  static String text(JsonObject object, String field) throws Refusal {
    JsonElement value = object.get(field);
    if (!(value instanceof JsonPrimitive primitive) || !primitive.isString()) {
      throw new Refusal(400, field + " is missing or no string");
    }
    return value.getAsString();
  }

  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /**
   * Where your work goes. When it throws, the event is not remembered, and comes again. Events of a workflow may come in
   * any order: what one tells of a record replaces what you have only if its sequence is higher than that of the event
   * you have it from. Nothing has happened if "test" is true: webhook.config.test sent it.
   */
  static void process(JsonObject event) {
    OUT.println(new Gson().toJson(event));
  }

  private static volatile JsonObject stored = new JsonObject();

  /** Reads the file again when it does not know a key: a new one may have been stored since. */
  static byte[] storedSecret(String accountId, String keyId) throws Refusal, IOException {
    String name = accountId + "/" + keyId;
    if (!stored.has(name)) {
      stored = object(Files.readAllBytes(Path.of(System.getenv("REQUISITE_WEBHOOK_KEYS"))), 500, "not processed");
    }
    JsonElement secret = stored.get(name);
    if (secret == null) {
      throw new Refusal(401, "no secret is stored for this account_id and key_id");
    }
    return Base64.getDecoder().decode(secret.getAsString());
  }

  /**
   * Holds an id from the start of its processing; true says that it has ended. A real receiver keeps the ids in its
   * database, where they survive a restart: a unique column, written in the transaction of the processing.
   */
  static final Map<String, Boolean> DONE = new ConcurrentHashMap<>();

  static int receive(HttpExchange exchange) throws Refusal, IOException {
    if (!exchange.getRequestURI().getPath().equals("/webhooks")) {
      throw new Refusal(404, "webhooks go to /webhooks");
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      throw new Refusal(405, "webhooks are sent with POST");
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      throw new Refusal(413, "the body is larger than 1 MiB");
    }
    return processOnce(open(body, exchange.getRequestHeaders()::getFirst, Instant.now(), Receiver::storedSecret), Receiver::process);
  }

  static int processOnce(JsonObject event, Consumer<JsonObject> work) throws Refusal {
    String id = text(event, "id");
    Boolean done = DONE.putIfAbsent(id, false);
    if (done != null && done) {
      return 200;
    }
    if (done != null) {
      throw new Refusal(409, "an earlier attempt is still being processed");
    }
    boolean processed = false;
    try {
      work.accept(event);
      processed = true;
    } finally {
      if (processed) {
        DONE.put(id, true);
      } else {
        DONE.remove(id);
      }
    }
    return 204;
  }

  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.maxReqTime", "30"); // seconds; without it a slow sender holds a thread
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
    server.setExecutor(Executors.newFixedThreadPool(16));
    server.createContext("/", exchange -> {
      int status = 500;
      String reason = "not processed";
      try {
        status = receive(exchange);
        reason = "";
      } catch (Refusal refusal) {
        status = refusal.status;
        reason = refusal.getMessage();
      } catch (IOException | RuntimeException e) {
        e.printStackTrace();
      }
      byte[] answer = (reason.isEmpty() ? "" : reason + "\n").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    OUT.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
  }
}
