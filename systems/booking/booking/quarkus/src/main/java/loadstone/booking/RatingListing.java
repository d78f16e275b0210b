package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** A page of the ratings of a facility, with what is true of all of them. */
@JsonPropertyOrder({"items", "next_cursor", "count", "average"})
record RatingListing(
        List<Rating> items,
        @JsonProperty("next_cursor") String nextCursor,
        long count,
        Double average) {

    static RatingListing of(Listing<Rating> page, RatingSummary summary) {
        return new RatingListing(
                page.items(), page.nextCursor(), summary.count(), summary.average());
    }
}
