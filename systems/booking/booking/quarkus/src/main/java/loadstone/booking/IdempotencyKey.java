package loadstone.booking;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/** The field `Idempotency-Key` of `reserve`. */
final class IdempotencyKey {

    static final String FIELD = "Idempotency-Key";

    /** The field, of the value `true`, of an answer that was given before. */
    static final String REPLAYED_FIELD = "Idempotency-Replayed";

    private static final Pattern KEY = Pattern.compile("[!-~]{1,64}");

    private IdempotencyKey() {}

    /** Gives the field as it was sent, or null where it was not. Throws a Refusal. */
    static String of(String field) {
        if (field != null && !KEY.matcher(field).matches()) {
            throw new Refusal(Problem.MALFORMED);
        }
        return field;
    }

    /** By which another request with the same key is known. */
    static byte[] fingerprint(ReservationBody body) {
        String text = body.facilityId() + "|" + Instants.show(body.startsAt()) + "|" + body.slots();
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
