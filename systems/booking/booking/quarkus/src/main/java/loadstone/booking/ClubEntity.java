package loadstone.booking;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A row of the clubs. Its owner is an id: queries say what they join. */
@Entity
@Table(name = "club")
public class ClubEntity {

    @Id private Long id;
    private long ownerId;
    private String name;
    private String city;
    private String description;
    private Instant createdAt;

    /** For the data access alone. */
    protected ClubEntity() {}

    Club answer() {
        return new Club(id, ownerId, name, city, description, createdAt);
    }
}
