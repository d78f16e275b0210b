package loadstone.booking;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;

/** The data access to ratings. */
@Singleton
class Ratings implements PanacheRepositoryBase<RatingEntity, Long> {

    private final Session session;

    Ratings(Session session) {
        this.session = session;
    }

    /** Keeps the time of the first. */
    Rated put(Reservation reservation, RatingBody body) {
        Object[] row =
                session.createNativeQuery(
                                "INSERT INTO rating (reservation_id, facility_id, stars, comment)"
                                        + " VALUES (:reservation, :facility, :stars, :comment)"
                                        + " ON CONFLICT (reservation_id) DO UPDATE"
                                        + " SET stars = EXCLUDED.stars, comment = EXCLUDED.comment"
                                        + " RETURNING reservation_id, facility_id, stars, comment,"
                                        + " created_at, (xmax = 0) AS is_new",
                                Object[].class)
                        .addEntity("rating", RatingEntity.class)
                        .addScalar("is_new", Boolean.class)
                        .setParameter("reservation", reservation.id())
                        .setParameter("facility", reservation.facilityId())
                        .setParameter("stars", body.stars())
                        .setParameter("comment", body.comment())
                        .getSingleResult();
        return new Rated(((RatingEntity) row[0]).answer(), (Boolean) row[1]);
    }

    List<Rating> list(long facilityId, Page page) {
        return find(
                        "facilityId = :facility and reservationId > :after",
                        Sort.by("reservationId"),
                        Map.<String, Object>of("facility", facilityId, "after", page.after()))
                .range(0, page.rows() - 1)
                .list()
                .stream()
                .map(RatingEntity::answer)
                .toList();
    }

    /** In SQL, whose numeric rounds half up where that of JPQL is a float. */
    RatingSummary summary(long facilityId) {
        Object[] row =
                session.createNativeQuery(
                                "SELECT count(*) AS count,"
                                        + " cast(round(avg(stars), 2) AS float8) AS average"
                                        + " FROM rating WHERE facility_id = :facility",
                                Object[].class)
                        .addScalar("count", Long.class)
                        .addScalar("average", Double.class)
                        .setParameter("facility", facilityId)
                        .getSingleResult();
        return new RatingSummary((Long) row[0], (Double) row[1]);
    }
}
