package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** The coins of a user, and where they came from. */
@JsonPropertyOrder({"userId", "coins", "events"})
record Wallet(long userId, int coins, List<CoinEvent> events) {}
