package loadstone.booking;

import java.util.Optional;
import org.springframework.data.repository.Repository;

/** Statements on clubs. */
interface ClubRepository extends Repository<ClubEntity, Long> {

    Optional<ClubEntity> findById(Long id);
}
