package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** The table of ratings. Each method is one statement. */
@Singleton
final class Ratings {

    /** Inserts, or replaces what is there. */
    Uni<Rated> put(Lease lease, Reservation reservation, RatingBody body) {
        return lease.single(
                Sql.RATE,
                Rows::rated,
                reservation.id(),
                reservation.facilityId(),
                body.stars(),
                body.comment());
    }

    Uni<List<Rating>> list(Lease lease, long facilityId, Page page) {
        return lease.list(Sql.RATINGS, Rows::rating, facilityId, page.after(), page.rows());
    }

    Uni<RatingSummary> summary(Lease lease, long facilityId) {
        return lease.single(Sql.RATING_SUMMARY, Rows::ratingSummary, facilityId);
    }
}
