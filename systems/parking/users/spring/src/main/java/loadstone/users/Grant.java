package loadstone.users;

import java.util.List;

/** What `grant-coins` is given. */
record Grant(List<Long> userIds, int amount, String reason) {}
