package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** Coins that were given or taken, as it is answered. The manager of a debit is null. */
@JsonPropertyOrder({"id", "amount", "reason", "managerId", "at"})
record CoinEvent(long id, int amount, String reason, Long managerId, String at) {}
