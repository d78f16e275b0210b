package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** A slot of a day, as it is answered. */
@JsonPropertyOrder({"starts_at", "ends_at", "available"})
record Slot(
        @JsonProperty("starts_at") @JsonFormat(shape = JsonFormat.Shape.STRING) Instant startsAt,
        @JsonProperty("ends_at") @JsonFormat(shape = JsonFormat.Shape.STRING) Instant endsAt,
        boolean available) {}
