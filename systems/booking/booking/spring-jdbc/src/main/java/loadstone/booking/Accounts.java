package loadstone.booking;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of accounts. Each method is one statement. */
@Repository
class Accounts {

    private final JdbcClient jdbc;

    Accounts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives nothing where there is an account of the address. */
    Optional<Account> insert(AccountBody body, String passwordHash) {
        return jdbc.sql(
                        """
                        INSERT INTO account (email, name, password_hash, role)
                        VALUES (:email, :name, :passwordHash, :role)
                        ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at
                        """)
                .param("email", body.email())
                .param("name", body.name())
                .param("passwordHash", passwordHash)
                .param("role", body.role())
                .query(Rows::account)
                .optional();
    }

    Optional<StoredPassword> password(String email) {
        return jdbc.sql("SELECT id, password_hash, role FROM account WHERE email = :email")
                .param("email", email)
                .query(Rows::storedPassword)
                .optional();
    }

    Optional<Account> find(long id) {
        return jdbc.sql("SELECT id, email, name, role, created_at FROM account WHERE id = :id")
                .param("id", id)
                .query(Rows::account)
                .optional();
    }
}
