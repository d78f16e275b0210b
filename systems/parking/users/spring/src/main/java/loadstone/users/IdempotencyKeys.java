package loadstone.users;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of idempotency keys. Each method is one statement. */
@Repository
class IdempotencyKeys {

    private final JdbcClient jdbc;

    IdempotencyKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives whether there was no such key. Waits for a transaction that makes the same. */
    boolean insert(String key, byte[] digest, String body) {
        return jdbc.sql(
                                """
                                INSERT INTO idempotency (key, operation, digest, status, body, at)
                                VALUES (:key, 'grant-coins', :digest, 201, :body, now())
                                ON CONFLICT DO NOTHING
                                """)
                        .param("key", key)
                        .param("digest", digest)
                        .param("body", body)
                        .update()
                == 1;
    }

    StoredAnswer find(String key) {
        return jdbc.sql(
                        """
                        SELECT digest, status, body FROM idempotency
                        WHERE key = :key AND operation = 'grant-coins'
                        """)
                .param("key", key)
                .query(Rows::storedAnswer)
                .single();
    }
}
