package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The table of accounts. Each method is one statement. */
@Singleton
final class Accounts {

    /** Gives nothing where there is an account of the address. */
    Uni<Optional<Account>> insert(Lease lease, AccountBody body, String passwordHash) {
        return lease.optional(
                Sql.INSERT_ACCOUNT,
                Rows::account,
                body.email(),
                body.name(),
                passwordHash,
                body.role());
    }

    Uni<Optional<StoredPassword>> password(Lease lease, String email) {
        return lease.optional(Sql.PASSWORD, Rows::storedPassword, email);
    }

    Uni<Optional<Account>> find(Lease lease, long id) {
        return lease.optional(Sql.ACCOUNT, Rows::account, id);
    }
}
