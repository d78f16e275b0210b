package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** An account, as it is answered. */
@JsonPropertyOrder({"id", "email", "name", "role", "created_at"})
record Account(
        long id,
        String email,
        String name,
        String role,
        @JsonProperty("created_at") @JsonFormat(shape = JsonFormat.Shape.STRING)
                Instant createdAt) {}
