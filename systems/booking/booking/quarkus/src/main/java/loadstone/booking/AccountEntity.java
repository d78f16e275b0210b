package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A row of the accounts. None is made by Hibernate, as of the reservations. */
@Entity
@Table(name = "account")
public class AccountEntity {

    @Id private Long id;
    private String email;
    private String name;
    private String passwordHash;
    private String role;
    private Instant createdAt;

    /** For the data access alone. */
    protected AccountEntity() {}

    Account answer() {
        return new Account(id, email, name, role, createdAt);
    }

    StoredPassword storedPassword() {
        return new StoredPassword(id, passwordHash, Role.of(role));
    }
}
