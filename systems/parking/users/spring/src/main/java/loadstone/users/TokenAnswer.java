package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** What `login` answers. */
@JsonPropertyOrder({"token", "name", "expiresAt"})
record TokenAnswer(String token, String name, String expiresAt) {}
