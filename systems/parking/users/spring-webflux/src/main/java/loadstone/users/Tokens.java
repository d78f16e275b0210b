package loadstone.users;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/** Signs the tokens of `login`. */
final class Tokens {

    private static final JwsHeader HEADER = JwsHeader.with(MacAlgorithm.HS256).build();
    private static final String ISSUER = "park-users";
    private static final String ROLE = "role";

    private final JwtEncoder encoder;
    private final Duration life;

    Tokens(Config config) {
        byte[] secret = config.tokenSecret().getBytes(StandardCharsets.US_ASCII);
        var key = new SecretKeySpec(secret, "HmacSHA256");
        this.encoder = new NimbusJwtEncoder(new ImmutableSecret<SecurityContext>(key));
        this.life = config.tokenLife();
    }

    /** Signs a token of the user whose account it is. */
    TokenAnswer issue(Account account) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Instant end = now.plus(life);
        JwtClaimsSet claims =
                JwtClaimsSet.builder()
                        .issuer(ISSUER)
                        .subject(Long.toString(account.id()))
                        .claim(ROLE, account.role().name())
                        .issuedAt(now)
                        .expiresAt(end)
                        .build();
        String token = encoder.encode(JwtEncoderParameters.from(HEADER, claims)).getTokenValue();
        return new TokenAnswer(token, account.name(), Instants.show(end));
    }
}
