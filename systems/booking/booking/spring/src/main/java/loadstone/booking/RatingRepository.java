package loadstone.booking;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Statements on ratings. */
interface RatingRepository extends Repository<RatingEntity, Long> {

    /** How many ratings there are, and how many stars in all, or null without any. */
    interface Totals {

        long getRatings();

        Long getStars();
    }

    List<RatingEntity> findByFacilityIdAndReservationIdGreaterThanOrderByReservationId(
            long facilityId, long after, Limit limit);

    @Query(
            """
            select count(r) as ratings, sum(r.stars) as stars
            from RatingEntity r where r.facilityId = :facilityId
            """)
    Totals total(long facilityId);
}
