package loadstone.users;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;

/**
 * Signs the tokens of `login`, by the library below SmallRye JWT, which itself adds claims to a new
 * token.
 */
@Singleton
final class Tokens {

    private static final String ISSUER = "park-users";
    private static final String ROLE = "role";

    private final Key key;
    private final Duration life;

    Tokens(Config config) {
        this.key = new HmacKey(config.tokenSecret().getBytes(StandardCharsets.US_ASCII));
        this.life = config.tokenLife();
    }

    /** Signs a token of the user whose account it is. */
    TokenAnswer issue(Account account) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Instant end = now.plus(life);
        var claims = new JwtClaims();
        claims.setIssuer(ISSUER);
        claims.setSubject(Long.toString(account.id()));
        claims.setStringClaim(ROLE, account.role().name());
        claims.setIssuedAt(NumericDate.fromSeconds(now.getEpochSecond()));
        claims.setExpirationTime(NumericDate.fromSeconds(end.getEpochSecond()));
        var signature = new JsonWebSignature();
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        signature.setKey(key);
        signature.setPayload(claims.toJson());
        try {
            String token = signature.getCompactSerialization();
            return new TokenAnswer(token, account.name(), Instants.show(end));
        } catch (JoseException e) {
            throw new IllegalStateException("a token cannot be signed", e);
        }
    }
}
