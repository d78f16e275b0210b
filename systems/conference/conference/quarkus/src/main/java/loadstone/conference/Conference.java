package loadstone.conference;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the table. Its id is the caller's. */
@Entity
@Table(name = "conferences")
public class Conference {

    @Id private String id;
    private String name;

    /** For the data access alone. */
    protected Conference() {}

    Conference(String id, String name) {
        this.id = id;
        this.name = name;
    }

    public String getId() {
        return id;
    }

    public String getName() {
        return name;
    }
}
