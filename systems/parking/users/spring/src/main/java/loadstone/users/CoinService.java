package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** What happens to coins, each in one transaction. */
@Service
class CoinService {

    /** The answer to a grant, in JSON, and whether it was given before. */
    record Given(int status, String body, boolean isReplayed) {}

    private static final int CREATED = 201;

    private final Database database;
    private final Users users;
    private final CoinEvents events;
    private final IdempotencyKeys keys;
    private final Json json;

    CoinService(
            Database database, Users users, CoinEvents events, IdempotencyKeys keys, Json json) {
        this.database = database;
        this.users = users;
        this.events = events;
        this.keys = keys;
        this.json = json;
    }

    /** What is refused leaves no key. */
    Given grant(Grant grant, String key, long managerId) {
        byte[] digest = IdempotencyKey.digest(grant);
        byte[] body = json.write(new Granted(grant.userIds().size()));
        String answer = new String(body, StandardCharsets.UTF_8);
        return database.inTransaction(
                () -> {
                    if (!keys.insert(key, digest, answer)) {
                        StoredAnswer stored = keys.find(key);
                        stored.refuseOther(digest);
                        return new Given(stored.status(), stored.body(), true);
                    }
                    give(grant, managerId);
                    return new Given(CREATED, answer, false);
                });
    }

    private void give(Grant grant, long managerId) {
        List<Balance> balances = users.lockAll(grant.userIds());
        if (balances.size() < grant.userIds().size()) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        if (!balances.stream().allMatch(each -> each.admits(grant.amount()))) {
            throw new Refusal(Problem.COINS);
        }
        users.give(grant);
        events.insertGrant(grant, managerId);
    }

    /** Takes coins once for a reference, and gives how many were taken for it. */
    int debit(Debit debit) {
        return database.inTransaction(
                () -> {
                    int balance =
                            users.lockCoins(debit.userId())
                                    .orElseThrow(() -> new Refusal(Problem.NOT_FOUND));
                    Optional<StoredDebit> before = events.debit(debit.reference());
                    return before.isPresent()
                            ? again(debit, before.get())
                            : take(debit, Math.min(balance, debit.maxCoins()));
                });
    }

    private static int again(Debit debit, StoredDebit before) {
        if (before.userId() != debit.userId()) {
            throw new Refusal(Problem.IDEMPOTENCY_MISMATCH);
        }
        return -before.amount();
    }

    private int take(Debit debit, int coins) {
        users.take(debit.userId(), coins);
        events.insertDebit(debit.userId(), coins, debit.reference());
        return coins;
    }
}
