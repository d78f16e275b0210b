package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/** A row of the facilities. */
@Entity
@Table(name = "facility")
public class FacilityEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private long clubId;
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

    FacilityEntity(long clubId, FacilityBody body) {
        this.clubId = clubId;
        this.name = body.name();
        this.sport = body.sport();
        this.slotMinutes = body.slotMinutes();
        this.opens = body.opens();
        this.closes = body.closes();
        this.priceCents = body.priceCents();
    }

    Facility answer() {
        return new Facility(
                id,
                clubId,
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
