package loadstone.booking;

/** The statements of a fixed text, for drivers that write parameters as `$1`. */
final class Sql {

    static final String READY = "SELECT 1";

    static final String INSERT_ACCOUNT =
            """
            INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4)
            ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at\
            """;

    static final String PASSWORD = "SELECT id, password_hash, role FROM account WHERE email = $1";

    static final String ACCOUNT =
            "SELECT id, email, name, role, created_at FROM account WHERE id = $1";

    static final String INSERT_CLUB =
            """
            INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4)
            RETURNING id, owner_id, name, city, description, created_at\
            """;

    static final String CLUB =
            "SELECT id, owner_id, name, city, description, created_at FROM club WHERE id = $1";

    static final String OWNER_OF_CLUB = "SELECT owner_id FROM club WHERE id = $1";

    static final String UPDATE_CLUB =
            """
            UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1
            RETURNING id, owner_id, name, city, description, created_at\
            """;

    static final String INSERT_FACILITY =
            """
            INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING id, club_id, name, sport, slot_minutes, opens, closes, price_cents,
              retired_at, created_at\
            """;

    static final String FACILITY =
            """
            SELECT id, club_id, name, sport, slot_minutes, opens, closes, price_cents,
              retired_at, created_at
            FROM facility WHERE id = $1\
            """;

    static final String HAS_FACILITY = "SELECT 1 FROM facility WHERE id = $1";

    static final String OWNER_OF_FACILITY =
            "SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1";

    static final String UPDATE_FACILITY =
            """
            UPDATE facility SET name = $2, sport = $3, slot_minutes = $4, opens = $5, closes = $6,
              price_cents = $7 WHERE id = $1
            RETURNING id, club_id, name, sport, slot_minutes, opens, closes, price_cents,
              retired_at, created_at\
            """;

    /** One that is retired stays so since then. */
    static final String RETIRE_FACILITY =
            "UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1";

    static final String TAKEN =
            """
            SELECT starts_at, ends_at FROM reservation
            WHERE facility_id = $1 AND status IN ('pending', 'accepted')
              AND tstzrange(starts_at, ends_at) && tstzrange($2, $3)
            ORDER BY starts_at\
            """;

    /** Makes no row where another is in the time. */
    static final String RESERVE =
            """
            INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
            RETURNING id, facility_id, player_id, starts_at, ends_at, status, price_cents,
              created_at, decided_at\
            """;

    static final String RESERVATION =
            """
            SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status,
              r.price_cents, r.created_at, r.decided_at, c.owner_id
            FROM reservation r JOIN facility f ON f.id = r.facility_id
              JOIN club c ON c.id = f.club_id
            WHERE r.id = $1\
            """;

    static final String DECIDE =
            """
            UPDATE reservation SET status = $2, decided_at = now()
            WHERE id = $1 AND status = 'pending'
            RETURNING id, facility_id, player_id, starts_at, ends_at, status, price_cents,
              created_at, decided_at\
            """;

    static final String CANCEL =
            """
            UPDATE reservation SET status = 'cancelled'
            WHERE id = $1 AND status IN ('pending', 'accepted')
            RETURNING id, facility_id, player_id, starts_at, ends_at, status, price_cents,
              created_at, decided_at\
            """;

    /** `xmax` is 0 of a row that no transaction changed. */
    static final String RATE =
            """
            INSERT INTO rating (reservation_id, facility_id, stars, comment)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (reservation_id) DO UPDATE
              SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
            RETURNING reservation_id, facility_id, stars, comment, created_at, (xmax = 0) AS is_new\
            """;

    static final String RATINGS =
            """
            SELECT reservation_id, facility_id, stars, comment, created_at FROM rating
            WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3\
            """;

    static final String RATING_SUMMARY =
            """
            SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average
            FROM rating WHERE facility_id = $1\
            """;

    /** Waits for a transaction that makes the same key. */
    static final String INSERT_KEY =
            """
            INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING\
            """;

    static final String KEY =
            "SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2";

    static final String STORE_KEY =
            "UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2";

    private Sql() {}
}
