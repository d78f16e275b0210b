package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** A club, as it is answered. */
@JsonPropertyOrder({"id", "owner_id", "name", "city", "description", "created_at"})
record Club(
        long id,
        @JsonProperty("owner_id") long ownerId,
        String name,
        String city,
        String description,
        @JsonProperty("created_at") @JsonFormat(shape = JsonFormat.Shape.STRING)
                Instant createdAt) {}
