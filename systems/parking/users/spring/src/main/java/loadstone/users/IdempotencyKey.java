package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The field `Idempotency-Key` of `grant-coins`. */
final class IdempotencyKey {

    static final String FIELD = "Idempotency-Key";

    /** The field, of the value `true`, of an answer that was given before. */
    static final String REPLAYED_FIELD = "Idempotency-Replayed";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9-]{16,64}");

    private IdempotencyKey() {}

    /** Gives the key of the fields that were sent. Throws a Refusal. */
    static String of(List<String> fields) {
        if (fields.size() != 1 || !KEY.matcher(fields.get(0)).matches()) {
            throw new Refusal(Problem.MALFORMED);
        }
        return fields.get(0);
    }

    /** By which another request with the same key is known. */
    static byte[] digest(Grant grant) {
        String ids = grant.userIds().stream().map(String::valueOf).collect(Collectors.joining(","));
        String text = grant.amount() + "|" + ids + "|" + grant.reason();
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
