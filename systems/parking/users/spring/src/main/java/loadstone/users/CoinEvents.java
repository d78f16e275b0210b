package loadstone.users;

import java.util.Optional;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of what was given and taken. Each method is one statement. */
@Repository
class CoinEvents {

    private final JdbcClient jdbc;

    CoinEvents(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives nothing where there is no such user. */
    Optional<Wallet> wallet(long userId) {
        ResultSetExtractor<Optional<Wallet>> extractor = rows -> Rows.wallet(userId, rows);
        return jdbc.sql(
                        """
                        SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at
                        FROM app_user u
                          LEFT JOIN LATERAL (
                            SELECT id, amount, reason, manager_id, at FROM coin_event
                            WHERE user_id = u.id ORDER BY id DESC LIMIT 100) e ON true
                        WHERE u.id = :userId ORDER BY e.id DESC
                        """)
                .param("userId", userId)
                .query(extractor);
    }

    void insertGrant(Grant grant, long managerId) {
        jdbc.sql(
                        """
                        INSERT INTO coin_event (user_id, amount, reason, manager_id, at)
                        SELECT id, :amount, :reason, :managerId, now()
                        FROM unnest(:ids::bigint[]) AS id ORDER BY id
                        """)
                .param("ids", grant.userIds().toArray(Long[]::new))
                .param("amount", grant.amount())
                .param("reason", grant.reason())
                .param("managerId", managerId)
                .update();
    }

    Optional<StoredDebit> debit(String reference) {
        return jdbc.sql("SELECT user_id, amount FROM coin_event WHERE reference = :reference")
                .param("reference", reference)
                .query(Rows::storedDebit)
                .optional();
    }

    void insertDebit(long userId, int coins, String reference) {
        jdbc.sql(
                        """
                        INSERT INTO coin_event (user_id, amount, reason, reference, at)
                        VALUES (:userId, :amount, 'debit', :reference, now())
                        """)
                .param("userId", userId)
                .param("amount", -coins)
                .param("reference", reference)
                .update();
    }
}
