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
import java.time.temporal.ChronoUnit;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.Generated;

/**
 * A row of the table of facilities. What did not change is not written: two requests at once would
 * undo each other's columns, such as the end of a facility.
 */
@Entity
@Table(name = "facility")
@DynamicUpdate
public class FacilityEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "club_id", updatable = false)
    private ClubEntity club;

    private String name;
    private String sport;
    private int slotMinutes;
    private int opens;
    private int closes;
    private int priceCents;
    private Instant retiredAt;
    @Generated private Instant createdAt;

    /** For the data access alone. */
    protected FacilityEntity() {}

    FacilityEntity(FacilityBody body, ClubEntity club) {
        this.club = club;
        replace(body);
    }

    final void replace(FacilityBody body) {
        this.name = body.name();
        this.sport = body.sport();
        this.slotMinutes = body.slotMinutes();
        this.opens = body.opens();
        this.closes = body.closes();
        this.priceCents = body.priceCents();
    }

    /** One that is retired stays so since then. */
    void retire(Instant now) {
        if (retiredAt == null) {
            retiredAt = now.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    public Long getId() {
        return id;
    }

    public ClubEntity getClub() {
        return club;
    }

    Facility toFacility() {
        return new Facility(
                id,
                club.getId(),
                name,
                sport,
                slotMinutes,
                opens,
                closes,
                priceCents,
                retiredAt != null,
                createdAt);
    }
}
