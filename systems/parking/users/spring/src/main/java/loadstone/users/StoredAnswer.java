package loadstone.users;

import java.util.Arrays;

/** What is kept under an idempotency key. */
record StoredAnswer(byte[] digest, int status, String body) {

    /** Throws a Refusal where it answered another request. */
    void refuseOther(byte[] own) {
        if (!Arrays.equals(digest, own)) {
            throw new Refusal(Problem.IDEMPOTENCY_MISMATCH);
        }
    }
}
