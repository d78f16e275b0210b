package loadstone.booking;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Generated;

/**
 * A row of the table of clubs. Its owner is a number, since nothing else of the account is read.
 */
@Entity
@Table(name = "club")
public class ClubEntity {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Column(updatable = false)
    private long ownerId;

    private String name;
    private String city;
    private String description;

    @Generated
    @Column(updatable = false)
    private Instant createdAt;

    /** For the data access alone. */
    protected ClubEntity() {}

    ClubEntity(ClubBody body, long ownerId) {
        this.ownerId = ownerId;
        replace(body);
    }

    final void replace(ClubBody body) {
        this.name = body.name();
        this.city = body.city();
        this.description = body.description();
    }

    public Long getId() {
        return id;
    }

    public long getOwnerId() {
        return ownerId;
    }

    Club toClub() {
        return new Club(id, ownerId, name, city, description, createdAt);
    }
}
