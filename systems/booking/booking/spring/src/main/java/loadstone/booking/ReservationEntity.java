package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/**
 * A row of the table of reservations. Its player is a number, since nothing else of the account is
 * read. Its state is changed by statements that name the state before, not here.
 */
@Entity
@Table(name = "reservation")
public class ReservationEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "facility_id")
    private FacilityEntity facility;

    private long playerId;
    private Instant startsAt;
    private Instant endsAt;
    private String status;
    private int priceCents;
    @Generated private Instant createdAt;
    private Instant decidedAt;

    /** For the data access alone. */
    protected ReservationEntity() {}

    ReservationEntity(
            FacilityEntity facility,
            long playerId,
            Instant startsAt,
            Instant endsAt,
            int priceCents) {
        this.facility = facility;
        this.playerId = playerId;
        this.startsAt = startsAt;
        this.endsAt = endsAt;
        this.status = "pending";
        this.priceCents = priceCents;
    }

    Span toSpan() {
        return new Span(startsAt, endsAt);
    }

    Reservation toReservation() {
        return new Reservation(
                id,
                facility.getId(),
                playerId,
                startsAt,
                endsAt,
                status,
                priceCents,
                createdAt,
                decidedAt);
    }
}
