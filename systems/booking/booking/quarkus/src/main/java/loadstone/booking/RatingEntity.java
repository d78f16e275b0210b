package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A row of the ratings. A reservation has one at most, by whose id it is known. */
@Entity
@Table(name = "rating")
public class RatingEntity {

    @Id private Long reservationId;
    private long facilityId;
    private int stars;
    private String comment;
    private Instant createdAt;

    /** For the data access alone. */
    protected RatingEntity() {}

    Rating answer() {
        return new Rating(reservationId, facilityId, stars, comment, createdAt);
    }
}
