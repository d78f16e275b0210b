package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A row of the table of ratings, which are read alone: Ratings says how they are written. */
@Entity
@Table(name = "rating")
@Immutable
public class RatingEntity {

    @Id private long reservationId;
    private long facilityId;
    private int stars;
    private String comment;
    private Instant createdAt;

    /** For the data access alone. */
    protected RatingEntity() {}

    Rating toRating() {
        return new Rating(reservationId, facilityId, stars, comment, createdAt);
    }
}
