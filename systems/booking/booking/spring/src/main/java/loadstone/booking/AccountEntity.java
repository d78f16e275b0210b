package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/** A row of the table of accounts. */
@Entity
@Table(name = "account")
public class AccountEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String email;
    private String name;
    private String passwordHash;
    private String role;
    @Generated private Instant createdAt;

    /** For the data access alone. */
    protected AccountEntity() {}

    AccountEntity(AccountBody body, String passwordHash) {
        this.email = body.email();
        this.name = body.name();
        this.passwordHash = passwordHash;
        this.role = body.role();
    }

    Account toAccount() {
        return new Account(id, email, name, role, createdAt);
    }

    StoredPassword toStoredPassword() {
        return new StoredPassword(id, passwordHash, Role.of(role));
    }
}
