package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class TokensTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private static final Config CONFIG =
            Config.read(
                    Map.of(
                            "PORT", "0",
                            "DATABASE_URL", "postgres://u:p@127.0.0.1:1/park",
                            "JWT_SECRET", SECRET,
                            "INTERNAL_KEY", "0123456789abcdef",
                            "TOKEN_SECONDS", "60"));

    private static final Account ACCOUNT =
            new Account(7, "Orla", "Fennimarsh", "", Role.CUSTOMER_MANAGER, UserStatus.ENABLED);

    private final Json json = new JacksonJson();

    @Test
    void itHasFiveClaims() throws Json.Malformed {
        TokenAnswer answer = new Tokens(CONFIG).issue(ACCOUNT);
        Map<?, ?> claims = part(answer.token(), 1);
        assertEquals(Set.of("iss", "sub", "role", "iat", "exp"), claims.keySet());
        assertEquals("park-users", claims.get("iss"));
        assertEquals("7", claims.get("sub"));
        assertEquals("CUSTOMER_MANAGER", claims.get("role"));
        long end = ((Number) claims.get("exp")).longValue();
        assertEquals(60, end - ((Number) claims.get("iat")).longValue());
        assertEquals(Instants.show(Instant.ofEpochSecond(end)), answer.expiresAt());
        assertEquals("Orla Fennimarsh", answer.name());
    }

    @Test
    void itIsSignedWithTheBytesOfTheSecret() throws Json.Malformed, GeneralSecurityException {
        String token = new Tokens(CONFIG).issue(ACCOUNT).token();
        assertEquals("HS256", part(token, 0).get("alg"));
        int end = token.lastIndexOf('.');
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        byte[] signature = mac.doFinal(token.substring(0, end).getBytes(StandardCharsets.US_ASCII));
        assertEquals(
                Base64.getUrlEncoder().withoutPadding().encodeToString(signature),
                token.substring(end + 1));
    }

    private Map<?, ?> part(String token, int number) throws Json.Malformed {
        byte[] text = Base64.getUrlDecoder().decode(token.split("\\.")[number]);
        return (Map<?, ?>) json.read(new String(text, StandardCharsets.UTF_8));
    }
}
