package loadstone.booking;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;

/**
 * Tokens, by the library below SmallRye JWT. SmallRye itself looks at more claims than SPEC.md
 * does, and adds some to a new token.
 */
@Singleton
final class Tokens {

    private static final String SCHEME = "Bearer ";

    /** The library decodes base64url with whatever is between its letters. */
    private static final Pattern COMPACT = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

    private static final AlgorithmConstraints HS256 =
            new AlgorithmConstraints(
                    AlgorithmConstraints.ConstraintType.PERMIT, AlgorithmIdentifiers.HMAC_SHA256);

    private final Key key;
    private final Duration life;

    Tokens(Config config) {
        this.key = new HmacKey(config.tokenSecret().getBytes(StandardCharsets.US_ASCII));
        this.life = config.tokenLife();
    }

    /** Makes a token. */
    String issue(long accountId, Role role, Instant now) {
        NumericDate issued = NumericDate.fromSeconds(now.getEpochSecond());
        NumericDate expiry = NumericDate.fromSeconds(now.plus(life).getEpochSecond());
        var claims = new JwtClaims();
        claims.setIssuer(Claims.SERVICE);
        claims.setAudience(Claims.SERVICE);
        claims.setSubject(Long.toString(accountId));
        claims.setStringClaim(Claims.ROLE, role.text());
        claims.setIssuedAt(issued);
        claims.setExpirationTime(expiry);
        var signature = new JsonWebSignature();
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        signature.setKey(key);
        signature.setPayload(claims.toJson());
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException("a token cannot be signed", e);
        }
    }

    /**
     * Gives the caller by the field `Authorization`, which may be null. Gives null where it has no
     * valid token.
     */
    Caller caller(String authorization, Instant now) {
        if (authorization == null
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        try {
            JwtClaims claims = claims(authorization.substring(SCHEME.length()).strip());
            NumericDate expiry = claims == null ? null : claims.getExpirationTime();
            return expiry == null
                    ? null
                    : Claims.caller(
                            claims.getIssuer(),
                            claims.getAudience(),
                            claims.getSubject(),
                            claims.getClaimValue(Claims.ROLE),
                            Instant.ofEpochSecond(expiry.getValue()),
                            now);
        } catch (JoseException
                | InvalidJwtException
                | MalformedClaimException
                | DateTimeException
                | ClassCastException e) { // the library takes any `alg` for a text
            return null;
        }
    }

    /** Gives null where it is written otherwise, or the signature is wrong. */
    private JwtClaims claims(String token) throws JoseException, InvalidJwtException {
        if (!COMPACT.matcher(token).matches()) {
            return null;
        }
        var signature = new JsonWebSignature();
        signature.setAlgorithmConstraints(HS256);
        signature.setKey(key);
        signature.setCompactSerialization(token);
        return signature.verifySignature() ? JwtClaims.parse(signature.getPayload()) : null;
    }
}
