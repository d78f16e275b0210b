package loadstone.booking;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of ratings. Each method is one statement. */
@Repository
class Ratings {

    private static final String COLUMNS = "reservation_id, facility_id, stars, comment, created_at";

    private final JdbcClient jdbc;

    Ratings(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Inserts, or replaces what is there; `xmax` is 0 of a row that no transaction changed. */
    Rated put(Reservation reservation, RatingBody body) {
        return jdbc.sql(
                        "INSERT INTO rating (reservation_id, facility_id, stars, comment)"
                                + " VALUES (:reservationId, :facilityId, :stars, :comment)"
                                + " ON CONFLICT (reservation_id) DO UPDATE"
                                + " SET stars = EXCLUDED.stars, comment = EXCLUDED.comment"
                                + " RETURNING "
                                + COLUMNS
                                + ", (xmax = 0) AS is_new")
                .param("reservationId", reservation.id())
                .param("facilityId", reservation.facilityId())
                .param("stars", body.stars())
                .param("comment", body.comment())
                .query(Rows::rated)
                .single();
    }

    List<Rating> list(long facilityId, Page page) {
        return new Selection(
                        "SELECT "
                                + COLUMNS
                                + " FROM rating WHERE facility_id = :facilityId"
                                + " AND reservation_id > :after")
                .with("facilityId", facilityId)
                .with("after", page.after())
                .end("reservation_id", page.rows())
                .list(jdbc, Rows::rating);
    }

    RatingSummary summary(long facilityId) {
        return jdbc.sql(
                        """
                        SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average
                        FROM rating WHERE facility_id = :facilityId
                        """)
                .param("facilityId", facilityId)
                .query(Rows::ratingSummary)
                .single();
    }
}
