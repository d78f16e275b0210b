package loadstone.booking;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** What `log-in` answers. */
@JsonPropertyOrder({"token", "token_type", "expires_in"})
record TokenAnswer(
        String token,
        @JsonProperty("token_type") String tokenType,
        @JsonProperty("expires_in") long expiresIn) {

    static TokenAnswer of(String token, Config config) {
        return new TokenAnswer(token, "Bearer", config.tokenLife().toSeconds());
    }
}
