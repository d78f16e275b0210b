package loadstone.users;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What happens to coins, each in one transaction. */
@Singleton
final class CoinService {

    /** The answer to a grant, in JSON, and whether it was given before. */
    record Given(int status, String body, boolean isReplayed) {}

    private static final int CREATED = 201;

    private final Database database;
    private final Json json;

    CoinService(Database database, JacksonJson json) {
        this.database = database;
        this.json = json;
    }

    /** What is refused leaves no key. */
    Given grant(Grant grant, String key, long managerId) {
        byte[] digest = IdempotencyKey.digest(grant);
        byte[] body = json.write(new Granted(grant.userIds().size()));
        String answer = new String(body, StandardCharsets.UTF_8);
        return database.inTransaction(
                session -> {
                    if (session.change(Sql.INSERT_KEY, key, digest, answer) == 0) {
                        StoredAnswer stored =
                                session.row(Sql.KEY, Rows::storedAnswer, key).orElseThrow();
                        stored.refuseOther(digest);
                        return new Given(stored.status(), stored.body(), true);
                    }
                    give(session, grant, managerId);
                    return new Given(CREATED, answer, false);
                });
    }

    private static void give(Session session, Grant grant, long managerId) throws SQLException {
        Long[] ids = grant.userIds().toArray(Long[]::new);
        List<Balance> balances = session.list(Sql.LOCK_BALANCES, Rows::balance, (Object) ids);
        if (balances.size() < ids.length) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        if (!balances.stream().allMatch(each -> each.admits(grant.amount()))) {
            throw new Refusal(Problem.COINS);
        }
        session.change(Sql.GIVE, grant.amount(), ids);
        session.change(Sql.INSERT_GRANT, grant.amount(), grant.reason(), managerId, ids);
    }

    /** Takes coins once for a reference, and gives how many were taken for it. */
    int debit(Debit debit) {
        return database.inTransaction(
                session -> {
                    int balance =
                            session.row(Sql.LOCK_COINS, Rows::coins, debit.userId())
                                    .orElseThrow(() -> new Refusal(Problem.NOT_FOUND));
                    Optional<StoredDebit> before =
                            session.row(Sql.DEBIT, Rows::storedDebit, debit.reference());
                    return before.isPresent()
                            ? again(debit, before.get())
                            : take(session, debit, Math.min(balance, debit.maxCoins()));
                });
    }

    private static int again(Debit debit, StoredDebit before) {
        if (before.userId() != debit.userId()) {
            throw new Refusal(Problem.IDEMPOTENCY_MISMATCH);
        }
        return -before.amount();
    }

    private static int take(Session session, Debit debit, int coins) throws SQLException {
        session.change(Sql.TAKE, coins, debit.userId());
        session.change(Sql.INSERT_DEBIT, debit.userId(), -coins, debit.reference());
        return coins;
    }
}
