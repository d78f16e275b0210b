package loadstone.booking;

import java.util.Optional;
import org.springframework.data.repository.Repository;

/** Statements on accounts. */
interface AccountRepository extends Repository<AccountEntity, Long> {

    Optional<AccountEntity> findByEmail(String email);

    Optional<AccountEntity> findById(Long id);
}
