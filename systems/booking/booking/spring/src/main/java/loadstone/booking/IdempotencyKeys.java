package loadstone.booking;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of idempotency keys. Each method is one statement. */
@Repository
class IdempotencyKeys {

    private final JdbcClient jdbc;

    IdempotencyKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives whether the account had no such key. Waits for a transaction that makes the same. */
    boolean insert(long accountId, String key, byte[] fingerprint) {
        return jdbc.sql(
                                """
                                INSERT INTO idempotency (account_id, key, fingerprint)
                                VALUES (:accountId, :key, :fingerprint) ON CONFLICT DO NOTHING
                                """)
                        .param("accountId", accountId)
                        .param("key", key)
                        .param("fingerprint", fingerprint)
                        .update()
                == 1;
    }

    StoredReservation find(long accountId, String key) {
        return jdbc.sql(
                        """
                        SELECT fingerprint, body FROM idempotency
                        WHERE account_id = :accountId AND key = :key
                        """)
                .param("accountId", accountId)
                .param("key", key)
                .query(Rows::storedReservation)
                .single();
    }

    void store(long accountId, String key, String body) {
        jdbc.sql(
                        """
                        UPDATE idempotency SET body = :body
                        WHERE account_id = :accountId AND key = :key
                        """)
                .param("accountId", accountId)
                .param("key", key)
                .param("body", body)
                .update();
    }
}
