package loadstone.booking;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Statements on reservations. */
interface ReservationRepository extends Repository<ReservationEntity, Long> {

    /** A row with the owner of its club. */
    interface Owned {

        ReservationEntity getReservation();

        Long getOwnerId();
    }

    @Query(
            """
            select r as reservation, c.ownerId as ownerId
            from ReservationEntity r join r.facility f join f.club c where r.id = :id
            """)
    Optional<Owned> findOwned(long id);

    /** In SQL, since the language of Hibernate has no ranges, whose index answers it. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    SELECT * FROM reservation
                    WHERE facility_id = :facilityId AND status IN ('pending', 'accepted')
                      AND tstzrange(starts_at, ends_at) && tstzrange(:from, :to)
                    ORDER BY starts_at
                    """)
    List<ReservationEntity> findLiving(long facilityId, Instant from, Instant to);

    /** Gives how many rows had the id and were pending. */
    @Modifying
    @Query(
            """
            update ReservationEntity r set r.status = :status, r.decidedAt = :now
            where r.id = :id and r.status = 'pending'
            """)
    int decide(long id, String status, Instant now);
}
