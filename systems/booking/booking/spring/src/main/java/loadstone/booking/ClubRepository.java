package loadstone.booking;

import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Statements on clubs. */
interface ClubRepository extends Repository<ClubEntity, Long> {

    /**
     * Not Hibernate's own look-up: in a transaction that hides a failure of the database, as if
     * there were no such row (HHH-12472).
     */
    @Query("select c from ClubEntity c where c.id = :id")
    Optional<ClubEntity> findById(Long id);
}
