package loadstone.booking;

import java.time.Instant;
import java.util.Collection;

/**
 * What a token says, once it has the right signature of the right algorithm, which is for the
 * stack's library to check. Claims that are not named here are not looked at.
 */
final class Claims {

    /** The value of both `iss` and `aud`. */
    static final String SERVICE = "booking";

    /** The name of the claim that no standard has. */
    static final String ROLE = "role";

    private Claims() {}

    /** Gives the caller, or null where a claim is missing, wrong or over. */
    static Caller caller(
            String issuer,
            Collection<String> audience,
            String subject,
            Object role,
            Instant expiry,
            Instant now) {
        Role known = Role.of(role);
        if (!SERVICE.equals(issuer)
                || audience == null
                || !audience.contains(SERVICE)
                || !Ids.isId(subject)
                || known == null
                || expiry == null
                || !now.isBefore(expiry)) {
            return null;
        }
        return new Caller(Long.parseLong(subject), known);
    }
}
