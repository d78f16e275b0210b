package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** A page of a list, as it is answered. */
@JsonPropertyOrder({"items", "next_cursor"})
record Listing<T>(List<T> items, @JsonProperty("next_cursor") String nextCursor) {}
