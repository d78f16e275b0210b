package loadstone.booking;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The table of ratings. Each method is one statement. */
@Component
class Ratings {

    private static final int DECIMALS = 2;

    private final RatingRepository repository;
    private final JdbcClient jdbc;

    Ratings(RatingRepository repository, JdbcClient jdbc) {
        this.repository = repository;
        this.jdbc = jdbc;
    }

    /**
     * Inserts, or replaces what is there; `xmax` is 0 of a row that no transaction changed. In SQL
     * and in JPA's transaction, since JPA cannot do so in one statement, and two requests at once
     * would both find nothing.
     */
    Rated put(Reservation reservation, RatingBody body) {
        return jdbc.sql(
                        """
                        INSERT INTO rating (reservation_id, facility_id, stars, comment)
                        VALUES (:reservationId, :facilityId, :stars, :comment)
                        ON CONFLICT (reservation_id) DO UPDATE
                          SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
                        RETURNING reservation_id, facility_id, stars, comment, created_at,
                          (xmax = 0) AS is_new
                        """)
                .param("reservationId", reservation.id())
                .param("facilityId", reservation.facilityId())
                .param("stars", body.stars())
                .param("comment", body.comment())
                .query(Rows::rated)
                .single();
    }

    List<Rating> list(long facilityId, Page page) {
        return repository
                .findByFacilityIdAndReservationIdGreaterThanOrderByReservationId(
                        facilityId, page.after(), Limit.of(page.rows()))
                .stream()
                .map(RatingEntity::toRating)
                .toList();
    }

    RatingSummary summary(long facilityId) {
        RatingRepository.Totals totals = repository.total(facilityId);
        return new RatingSummary(totals.getRatings(), average(totals));
    }

    private static Double average(RatingRepository.Totals totals) {
        if (totals.getRatings() == 0) {
            return null;
        }
        return BigDecimal.valueOf(totals.getStars())
                .divide(BigDecimal.valueOf(totals.getRatings()), DECIMALS, RoundingMode.HALF_UP)
                .doubleValue();
    }
}
