package loadstone.booking;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.hibernate.Session;

/** The data access to accounts. */
@Singleton
class Accounts implements PanacheRepositoryBase<AccountEntity, Long> {

    private final Session session;

    Accounts(Session session) {
        this.session = session;
    }

    /**
     * Gives nothing where there is an account of the address. In SQL, since Hibernate has no ON
     * CONFLICT for entities.
     */
    Optional<Account> insert(AccountBody body, String passwordHash) {
        return session.createNativeQuery(
                        "INSERT INTO account (email, name, password_hash, role)"
                                + " VALUES (:email, :name, :passwordHash, :role)"
                                + " ON CONFLICT (email) DO NOTHING"
                                + " RETURNING id, email, name, password_hash, role, created_at",
                        AccountEntity.class)
                .setParameter("email", body.email())
                .setParameter("name", body.name())
                .setParameter("passwordHash", passwordHash)
                .setParameter("role", body.role())
                .uniqueResultOptional()
                .map(AccountEntity::answer);
    }

    Optional<Account> find(long id) {
        return find("id", id).singleResultOptional().map(AccountEntity::answer);
    }

    Optional<StoredPassword> password(String email) {
        return find("email", email).singleResultOptional().map(AccountEntity::storedPassword);
    }
}
