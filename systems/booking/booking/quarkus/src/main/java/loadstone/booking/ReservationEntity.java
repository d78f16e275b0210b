package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A row of the reservations. None is made by Hibernate, which has no ON CONFLICT for entities. */
@Entity
@Table(name = "reservation")
public class ReservationEntity {

    @Id private Long id;
    private long facilityId;
    private long playerId;
    private Instant startsAt;
    private Instant endsAt;
    private String status;
    private int priceCents;
    private Instant createdAt;
    private Instant decidedAt;

    /** For the data access alone. */
    protected ReservationEntity() {}

    Reservation answer() {
        return new Reservation(
                id,
                facilityId,
                playerId,
                startsAt,
                endsAt,
                status,
                priceCents,
                createdAt,
                decidedAt);
    }
}
