package loadstone.users;

/** The statements of SPEC.md, whose parameters JDBC numbers by their places. */
final class Sql {

    private static final String USERS_WITH_VEHICLES =
            """
            SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role,
              u.payment_method, u.status, v.plate, v.type, v.energy
            FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id\
            """;

    static final String USERS = USERS_WITH_VEHICLES + " ORDER BY u.id, v.plate";
    static final String USER = USERS_WITH_VEHICLES + " WHERE u.id = ? ORDER BY v.plate";

    static final String INSERT_USER =
            """
            INSERT INTO app_user
              (first_name, last_name, email, password_hash, nif, role, payment_method, status)
            VALUES (?, ?, ?, ?, ?, 1, ?, 0) RETURNING id\
            """;

    static final String ACCOUNT =
            """
            SELECT id, first_name, last_name, password_hash, role, status FROM app_user
            WHERE lower(email) = lower(?)\
            """;

    static final String RICHEST =
            """
            SELECT first_name, last_name, email, coins FROM app_user WHERE role = 1
            ORDER BY coins DESC, id LIMIT 10\
            """;

    static final String SET_STATUS = "UPDATE app_user SET status = ? WHERE id = ?";
    static final String PAYMENT_METHOD = "SELECT payment_method FROM app_user WHERE id = ?";
    static final String SET_PAYMENT_METHOD = "UPDATE app_user SET payment_method = ? WHERE id = ?";

    static final String VEHICLES =
            """
            SELECT u.id, v.plate, v.type, v.energy
            FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
            WHERE u.id = ? ORDER BY v.plate\
            """;

    static final String LOCK_USER = "SELECT id FROM app_user WHERE id = ? FOR NO KEY UPDATE";
    static final String RIVALS =
            "SELECT plate, user_id FROM vehicle WHERE user_id = ? OR plate = ?";
    static final String INSERT_VEHICLE =
            "INSERT INTO vehicle (plate, user_id, type, energy) VALUES (?, ?, ?, ?)";
    static final String UPDATE_VEHICLE = "UPDATE vehicle SET type = ?, energy = ? WHERE plate = ?";

    static final String WALLET =
            """
            SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at FROM app_user u
              LEFT JOIN LATERAL (
                SELECT id, amount, reason, manager_id, at FROM coin_event
                WHERE user_id = u.id ORDER BY id DESC LIMIT 100) e ON true
            WHERE u.id = ? ORDER BY e.id DESC\
            """;

    /** Waits for a transaction that makes the same key. */
    static final String INSERT_KEY =
            """
            INSERT INTO idempotency (key, operation, digest, status, body, at)
            VALUES (?, 'grant-coins', ?, 201, ?, now()) ON CONFLICT DO NOTHING\
            """;

    static final String KEY =
            """
            SELECT digest, status, body FROM idempotency
            WHERE key = ? AND operation = 'grant-coins'\
            """;

    static final String LOCK_BALANCES =
            "SELECT id, coins FROM app_user WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE";
    static final String GIVE = "UPDATE app_user SET coins = coins + ? WHERE id = ANY(?)";

    static final String INSERT_GRANT =
            """
            INSERT INTO coin_event (user_id, amount, reason, manager_id, at)
            SELECT id, ?::integer, ?::text, ?::bigint, now()
            FROM unnest(?::bigint[]) AS id ORDER BY id\
            """;

    static final String LOCK_COINS = "SELECT coins FROM app_user WHERE id = ? FOR NO KEY UPDATE";
    static final String DEBIT = "SELECT user_id, amount FROM coin_event WHERE reference = ?";
    static final String TAKE = "UPDATE app_user SET coins = coins - ? WHERE id = ?";

    static final String INSERT_DEBIT =
            """
            INSERT INTO coin_event (user_id, amount, reason, reference, at)
            VALUES (?, ?, 'debit', ?, now())\
            """;

    private Sql() {}
}
