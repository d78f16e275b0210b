package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import jakarta.inject.Singleton;

/** The table of keys under which answers of `reserve` are kept. Each method is one statement. */
@Singleton
final class IdempotencyKeys {

    /** Gives whether the account had no such key. */
    Uni<Boolean> insert(Lease lease, long accountId, String key, byte[] fingerprint) {
        return lease.update(Sql.INSERT_KEY, accountId, key, Buffer.buffer(fingerprint))
                .map(count -> count == 1);
    }

    Uni<StoredReservation> find(Lease lease, long accountId, String key) {
        return lease.single(Sql.KEY, Rows::storedReservation, accountId, key);
    }

    Uni<Integer> store(Lease lease, long accountId, String key, String body) {
        return lease.update(Sql.STORE_KEY, accountId, key, body);
    }
}
