package loadstone.booking;

import java.util.Arrays;

/** What is kept under an idempotency key. */
record StoredReservation(byte[] fingerprint, String body) {

    /** Gives the answer to the same request. Throws a Refusal where this is another. */
    Reserved replay(byte[] own, Json json) {
        if (!Arrays.equals(fingerprint, own)) {
            throw new Refusal(Problem.IDEMPOTENCY_MISMATCH);
        }
        return Reserved.before(body, json);
    }
}
