package loadstone.booking;

import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Statements on facilities. */
interface FacilityRepository extends Repository<FacilityEntity, Long> {

    /**
     * Not Hibernate's own look-up: in a transaction that hides a failure of the database, as if
     * there were no such row (HHH-12472).
     */
    @Query("select f from FacilityEntity f where f.id = :id")
    Optional<FacilityEntity> findById(Long id);

    boolean existsById(Long id);

    @Query("select f from FacilityEntity f join fetch f.club where f.id = :id")
    Optional<FacilityEntity> findWithClub(long id);
}
