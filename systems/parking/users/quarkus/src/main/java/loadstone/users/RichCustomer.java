package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** One of those that `top-coins` answers. */
@JsonPropertyOrder({"name", "email", "coins"})
record RichCustomer(String name, String email, int coins) {}
