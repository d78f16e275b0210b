package loadstone.gateway;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies the tokens of callers. Libraries look at more than SPEC.md does, and some of them allow
 * a leeway.
 */
final class Tokens {

    private static final Pattern TOKEN =
            Pattern.compile("(([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+))\\.([A-Za-z0-9_-]+)");

    private static final Pattern SUBJECT = Pattern.compile("[1-9][0-9]{0,15}");
    private static final Set<String> ROLES =
            Set.of("SUPERVISOR", "CUSTOMER", "CUSTOMER_MANAGER", "PARK_MANAGER", "DEVICE");

    private static final String SCHEME = "bearer";
    private static final String ISSUER = "park-users";
    private static final String ALGORITHM = "HmacSHA256";
    private static final double MILLIS_PER_SECOND = 1_000;

    private final SecretKeySpec key;
    private final Clock clock;

    Tokens(String secret, Clock clock) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), ALGORITHM);
        this.clock = clock;
    }

    /** Gives whose token is in the fields `Authorization` that were sent. Throws a Refusal. */
    Identity verify(List<String> fields) {
        if (fields.isEmpty()) {
            throw new Refusal(Problem.TOKEN_MISSING);
        }
        Identity identity = fields.size() == 1 ? identity(token(fields.get(0))) : null;
        if (identity == null) {
            throw new Refusal(Problem.TOKEN_INVALID);
        }
        return identity;
    }

    private static String token(String field) {
        int end = field.indexOf(' ');
        String scheme = end < 0 ? field : field.substring(0, end);
        String token = end < 0 ? "" : field.substring(end).strip();
        if (!scheme.equalsIgnoreCase(SCHEME) || token.isEmpty()) {
            throw new Refusal(Problem.TOKEN_MISSING);
        }
        return token;
    }

    /** Gives whose token it is, or null where it is not valid. */
    private Identity identity(String token) {
        Matcher parts = TOKEN.matcher(token);
        if (!parts.matches()) {
            return null;
        }
        try {
            Map<?, ?> header = Json.object(decode(parts.group(2)));
            return isOfAlgorithm(header) && isSigned(parts.group(1), decode(parts.group(4)))
                    ? identity(Json.object(decode(parts.group(3))))
                    : null;
        } catch (IllegalArgumentException | Json.Malformed e) {
            return null;
        }
    }

    private static byte[] decode(String part) {
        return Base64.getUrlDecoder().decode(part);
    }

    private static boolean isOfAlgorithm(Map<?, ?> header) {
        return "HS256".equals(header.get("alg")) && !header.containsKey("crit");
    }

    private boolean isSigned(String text, byte[] signature) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] own = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
            return MessageDigest.isEqual(own, signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HMAC with SHA-256", e);
        }
    }

    private Identity identity(Map<?, ?> claims) {
        double now = clock.millis() / MILLIS_PER_SECOND;
        boolean isNow =
                claims.get("exp") instanceof Number end
                        && end.doubleValue() > now
                        && (!claims.containsKey("nbf")
                                || (claims.get("nbf") instanceof Number begin
                                        && begin.doubleValue() <= now));
        return isNow
                        && ISSUER.equals(claims.get("iss"))
                        && claims.get("sub") instanceof String subject
                        && SUBJECT.matcher(subject).matches()
                        && claims.get("role") instanceof String role
                        && ROLES.contains(role)
                ? new Identity(subject, role)
                : null;
    }
}
