package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What happens to coins, each in one transaction. */
@Service
class CoinService {

    /** The answer to a grant, in JSON, and whether it was given before. */
    record Given(int status, String body, boolean isReplayed) {}

    private static final int CREATED = 201;

    private final Database database;
    private final Json json;

    CoinService(Database database, Json json) {
        this.database = database;
        this.json = json;
    }

    /** What is refused leaves no key. */
    Mono<Given> grant(Grant grant, String key, long managerId) {
        byte[] digest = IdempotencyKey.digest(grant);
        byte[] body = json.write(new Granted(grant.userIds().size()));
        String answer = new String(body, StandardCharsets.UTF_8);
        return database.inTransaction(
                session ->
                        session.change(Sql.INSERT_KEY, key, digest, answer)
                                .flatMap(
                                        count ->
                                                count == 0
                                                        ? replay(session, key, digest)
                                                        : give(session, grant, managerId)
                                                                .thenReturn(
                                                                        new Given(
                                                                                CREATED, answer,
                                                                                false))));
    }

    private static Mono<Given> replay(Session session, String key, byte[] digest) {
        return session.row(Sql.KEY, Rows::storedAnswer, key)
                .doOnNext(stored -> stored.refuseOther(digest))
                .map(stored -> new Given(stored.status(), stored.body(), true));
    }

    private static Mono<Long> give(Session session, Grant grant, long managerId) {
        Long[] ids = grant.userIds().toArray(Long[]::new);
        return session.list(Sql.LOCK_BALANCES, Rows::balance, (Object) ids)
                .doOnNext(balances -> check(balances, grant))
                .then(Mono.defer(() -> session.change(Sql.GIVE, ids, grant.amount())))
                .then(
                        Mono.defer(
                                () ->
                                        session.change(
                                                Sql.INSERT_GRANT,
                                                ids,
                                                grant.amount(),
                                                grant.reason(),
                                                managerId)));
    }

    /** Throws a Refusal. */
    private static void check(List<Balance> balances, Grant grant) {
        if (balances.size() < grant.userIds().size()) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        if (!balances.stream().allMatch(each -> each.admits(grant.amount()))) {
            throw new Refusal(Problem.COINS);
        }
    }

    /** Takes coins once for a reference, and gives how many were taken for it. */
    Mono<Integer> debit(Debit debit) {
        return database.inTransaction(
                session ->
                        session.row(Sql.LOCK_COINS, Rows::coins, debit.userId())
                                .switchIfEmpty(Answers.refused(Problem.NOT_FOUND))
                                .flatMap(
                                        balance ->
                                                session.row(
                                                                Sql.DEBIT,
                                                                Rows::storedDebit,
                                                                debit.reference())
                                                        .singleOptional()
                                                        .flatMap(
                                                                before ->
                                                                        take(
                                                                                session, debit,
                                                                                before, balance))));
    }

    private static Mono<Integer> take(
            Session session, Debit debit, Optional<StoredDebit> before, int balance) {
        if (before.isPresent()) {
            return Mono.fromCallable(() -> again(debit, before.get()));
        }
        int coins = Math.min(balance, debit.maxCoins());
        return session.change(Sql.TAKE, debit.userId(), coins)
                .then(
                        Mono.defer(
                                () ->
                                        session.change(
                                                Sql.INSERT_DEBIT,
                                                debit.userId(),
                                                -coins,
                                                debit.reference())))
                .thenReturn(coins);
    }

    private static int again(Debit debit, StoredDebit before) {
        if (before.userId() != debit.userId()) {
            throw new Refusal(Problem.IDEMPOTENCY_MISMATCH);
        }
        return -before.amount();
    }
}
