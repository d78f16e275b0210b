package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** A facility, as it is answered; hours are minutes after midnight. */
@JsonPropertyOrder({
    "id",
    "club_id",
    "name",
    "sport",
    "slot_minutes",
    "opens",
    "closes",
    "price_cents",
    "retired",
    "created_at"
})
record Facility(
        long id,
        @JsonProperty("club_id") long clubId,
        String name,
        String sport,
        @JsonProperty("slot_minutes") int slotMinutes,
        int opens,
        int closes,
        @JsonProperty("price_cents") int priceCents,
        boolean retired,
        @JsonProperty("created_at") @JsonFormat(shape = JsonFormat.Shape.STRING)
                Instant createdAt) {}
