package loadstone.booking;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.MACVerifier;
import java.text.ParseException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * What Spring Security's resource server checks tokens by. Its own decoder refuses some also for
 * claims that are not looked at, such as an `iat` to come or a `jti` that is no text.
 */
final class TokenDecoder implements JwtDecoder {

    /** Instants end before numbers do. */
    private static final long LAST_SECOND = Instant.MAX.getEpochSecond();

    private final MACVerifier verifier;

    TokenDecoder(Config config) {
        try {
            this.verifier = new MACVerifier(Tokens.key(config));
        } catch (JOSEException e) {
            throw new IllegalArgumentException("JWT_SECRET is no key", e);
        }
    }

    /** Gives no more of a token than who its caller is. Throws BadJwtException. */
    @Override
    public Jwt decode(String token) {
        Map<String, Object> claims = claims(token);
        Caller caller = claims == null ? null : caller(claims);
        if (caller == null) {
            throw new BadJwtException("the token is none, another's, or over");
        }
        return Jwt.withTokenValue(token)
                .header("alg", JWSAlgorithm.HS256.getName())
                .subject(Long.toString(caller.id()))
                .claim(Claims.ROLE, caller.role().text())
                .build();
    }

    /** Gives null where the token is none, or has not the algorithm or the signature. */
    private Map<String, Object> claims(String token) {
        try {
            JWSObject signed = JWSObject.parse(token);
            boolean isRight =
                    JWSAlgorithm.HS256.equals(signed.getHeader().getAlgorithm())
                            && signed.verify(verifier);
            return isRight ? signed.getPayload().toJSONObject() : null;
        } catch (ParseException | JOSEException | RuntimeException e) {
            return null; // of some headers that are none the library has no exception of its own
        }
    }

    private static Caller caller(Map<String, Object> claims) {
        String audience = text(claims, JwtClaimNames.AUD);
        return Claims.caller(
                text(claims, JwtClaimNames.ISS),
                audience == null ? null : List.of(audience),
                text(claims, JwtClaimNames.SUB),
                claims.get(Claims.ROLE),
                claims.get(JwtClaimNames.EXP) instanceof Number end ? instant(end) : null,
                Instant.now());
    }

    private static String text(Map<String, Object> claims, String name) {
        return claims.get(name) instanceof String text ? text : null;
    }

    private static Instant instant(Number second) {
        return Instant.ofEpochSecond(Math.min(Math.max(second.longValue(), 0), LAST_SECOND));
    }
}
