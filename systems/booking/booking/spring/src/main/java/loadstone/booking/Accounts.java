package loadstone.booking;

import java.util.Optional;
import org.springframework.stereotype.Component;

/** The table of accounts. Each method is one statement. */
@Component
class Accounts {

    private final AccountRepository repository;
    private final Insertion insertion;

    Accounts(AccountRepository repository, Insertion insertion) {
        this.repository = repository;
        this.insertion = insertion;
    }

    /** Gives nothing where there is an account of the address. */
    Optional<Account> insert(AccountBody body, String passwordHash) {
        var entity = new AccountEntity(body, passwordHash);
        try {
            insertion.insert(entity);
        } catch (RuntimeException e) {
            if (Conflict.isIn(e)) {
                return Optional.empty();
            }
            throw e;
        }
        return Optional.of(entity.toAccount());
    }

    Optional<StoredPassword> password(String email) {
        return repository.findByEmail(email).map(AccountEntity::toStoredPassword);
    }

    Optional<Account> find(long id) {
        return repository.findById(id).map(AccountEntity::toAccount);
    }
}
