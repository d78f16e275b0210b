package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** A rating, as it is answered. */
@JsonPropertyOrder({"reservation_id", "facility_id", "stars", "comment", "created_at"})
record Rating(
        @JsonProperty("reservation_id") long reservationId,
        @JsonProperty("facility_id") long facilityId,
        int stars,
        String comment,
        @JsonProperty("created_at") @JsonFormat(shape = JsonFormat.Shape.STRING)
                Instant createdAt) {}
