package loadstone.booking;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/** Signs the tokens of log-ins. */
final class Tokens {

    private static final JwsHeader HEADER = JwsHeader.with(MacAlgorithm.HS256).build();

    private final JwtEncoder encoder;
    private final Duration life;

    Tokens(Config config) {
        this.encoder = new NimbusJwtEncoder(new ImmutableSecret<SecurityContext>(key(config)));
        this.life = config.tokenLife();
    }

    /** The key of all signatures. */
    static SecretKey key(Config config) {
        byte[] secret = config.tokenSecret().getBytes(StandardCharsets.US_ASCII);
        return new SecretKeySpec(secret, "HmacSHA256");
    }

    /** Signs a token of the account. */
    String issue(long accountId, Role role) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        JwtClaimsSet claims =
                JwtClaimsSet.builder()
                        .issuer(Claims.SERVICE)
                        .audience(List.of(Claims.SERVICE))
                        .subject(Long.toString(accountId))
                        .claim(Claims.ROLE, role.text())
                        .issuedAt(now)
                        .expiresAt(now.plus(life))
                        .build();
        return encoder.encode(JwtEncoderParameters.from(HEADER, claims)).getTokenValue();
    }
}
