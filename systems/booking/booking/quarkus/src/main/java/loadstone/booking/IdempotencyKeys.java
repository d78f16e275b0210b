package loadstone.booking;

import jakarta.inject.Singleton;
import org.hibernate.Session;

/** The data access to the keys under which answers of `reserve` are kept. */
@Singleton
class IdempotencyKeys {

    private static final String OF_ONE = " WHERE account_id = :account AND key = :key";

    private final Session session;

    IdempotencyKeys(Session session) {
        this.session = session;
    }

    /** Gives whether the key is new. Waits for a request of the same key that is under way. */
    boolean insert(long accountId, String key, byte[] fingerprint) {
        return session.createNativeMutationQuery(
                                "INSERT INTO idempotency (account_id, key, fingerprint)"
                                        + " VALUES (:account, :key, :fingerprint)"
                                        + " ON CONFLICT DO NOTHING")
                        .setParameter("account", accountId)
                        .setParameter("key", key)
                        .setParameter("fingerprint", fingerprint)
                        .executeUpdate()
                == 1;
    }

    StoredReservation find(long accountId, String key) {
        Object[] row =
                session.createNativeQuery(
                                "SELECT fingerprint, body FROM idempotency" + OF_ONE,
                                Object[].class)
                        .addScalar("fingerprint", byte[].class)
                        .addScalar("body", String.class)
                        .setParameter("account", accountId)
                        .setParameter("key", key)
                        .getSingleResult();
        return new StoredReservation((byte[]) row[0], (String) row[1]);
    }

    void store(long accountId, String key, String body) {
        session.createNativeMutationQuery("UPDATE idempotency SET body = :body" + OF_ONE)
                .setParameter("body", body)
                .setParameter("account", accountId)
                .setParameter("key", key)
                .executeUpdate();
    }
}
