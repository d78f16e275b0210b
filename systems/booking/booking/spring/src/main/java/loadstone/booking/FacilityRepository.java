package loadstone.booking;

import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Statements on facilities. */
interface FacilityRepository extends Repository<FacilityEntity, Long> {

    Optional<FacilityEntity> findById(Long id);

    boolean existsById(Long id);

    @Query("select f from FacilityEntity f join fetch f.club where f.id = :id")
    Optional<FacilityEntity> findWithClub(long id);
}
