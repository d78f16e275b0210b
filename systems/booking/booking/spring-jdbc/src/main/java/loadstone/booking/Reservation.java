package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** A reservation, as it is answered. One that was not decided has no time of it. */
@JsonPropertyOrder({
    "id",
    "facility_id",
    "player_id",
    "starts_at",
    "ends_at",
    "status",
    "price_cents",
    "created_at",
    "decided_at"
})
record Reservation(
        long id,
        @JsonProperty("facility_id") long facilityId,
        @JsonProperty("player_id") long playerId,
        @JsonProperty("starts_at") @JsonFormat(shape = JsonFormat.Shape.STRING) Instant startsAt,
        @JsonProperty("ends_at") @JsonFormat(shape = JsonFormat.Shape.STRING) Instant endsAt,
        String status,
        @JsonProperty("price_cents") int priceCents,
        @JsonProperty("created_at") @JsonFormat(shape = JsonFormat.Shape.STRING) Instant createdAt,
        @JsonProperty("decided_at") @JsonFormat(shape = JsonFormat.Shape.STRING)
                Instant decidedAt) {

    /** Whether it is in the way of others, and may be rated. */
    boolean lives() {
        return status.equals("pending") || status.equals("accepted");
    }
}
