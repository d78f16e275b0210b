package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.oauth2.jwt.JwtException;

/** With tokens that are written by hand, since libraries do not write wrong ones. */
class TokensTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String HS256 = "{\"alg\":\"HS256\"}";

    private static final Config CONFIG =
            Config.read(
                    Map.of(
                            "PORT", "0",
                            "DATABASE_URL", "postgres://u:p@127.0.0.1:1/booking",
                            "JWT_SECRET", SECRET,
                            "JWT_TTL", "60"));

    private final Decoding decoder = Decoding.of(CONFIG);

    @Test
    void aTokenIsItsAccounts() {
        String token = new Tokens(CONFIG).issue(7, Role.OWNER);
        assertEquals(new Caller(7, Role.OWNER), decoder.callerOf(token));
    }

    @Test
    void itHasSixClaims() {
        String token = new Tokens(CONFIG).issue(7, Role.PLAYER);
        String payload = new String(decode(token.split("\\.")[1]), StandardCharsets.UTF_8);
        for (String claim :
                new String[] {
                    "\"iss\":\"booking\"",
                    "\"aud\":\"booking\"",
                    "\"sub\":\"7\"",
                    "\"role\":\"player\"",
                    "\"iat\":",
                    "\"exp\":"
                }) {
            assertTrue(payload.contains(claim), payload);
        }
        assertEquals(6, payload.split(",").length, payload);
    }

    @Test
    void otherClaimsAreNotLookedAt() throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        String claims =
                claims("booking", "booking", "7", "player", now + 60)
                        .replace(
                                "}",
                                ",\"iat\":"
                                        + (now + 90)
                                        + ",\"nbf\":"
                                        + (now + 90)
                                        + ",\"jti\":5}");
        assertEquals(new Caller(7, Role.PLAYER), decoder.callerOf(signed(HS256, claims)));
    }

    @ParameterizedTest
    @CsvSource({
        "other, booking, 7, player, 60",
        "booking, other, 7, player, 60",
        "booking, booking, 07, player, 60",
        "booking, booking, 7, admin, 60",
        "booking, booking, 7, player, 0",
        "booking, booking, 7, player, -1",
    })
    void wrongClaimsAreRefused(String issuer, String audience, String subject, String role, int end)
            throws GeneralSecurityException {
        long expiry = Instant.now().getEpochSecond() + end;
        String token = signed(HS256, claims(issuer, audience, subject, role, expiry));
        assertThrows(JwtException.class, () -> decoder.callerOf(token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"exp\":\"x\"}", "{\"sub\":7}", "[]", "{", "null", ""})
    void whatIsNoTokenIsRefused(String claims) throws GeneralSecurityException {
        String token = signed(HS256, claims);
        assertThrows(JwtException.class, () -> decoder.callerOf(token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "HS384", "HS512", "RS256"})
    void otherAlgorithmsAreRefused(String algorithm) throws GeneralSecurityException {
        long expiry = Instant.now().getEpochSecond() + 60;
        String claims = claims("booking", "booking", "7", "player", expiry);
        String token = signed("{\"alg\":\"" + algorithm + "\"}", claims);
        assertThrows(JwtException.class, () -> decoder.callerOf(token));
        String unsigned = token.substring(0, token.lastIndexOf('.') + 1);
        assertThrows(JwtException.class, () -> decoder.callerOf(unsigned));
    }

    @Test
    void anotherKeyIsRefused() {
        var other =
                Config.read(
                        Map.of(
                                "PORT", "0",
                                "DATABASE_URL", "postgres://u:p@127.0.0.1:1/booking",
                                "JWT_SECRET", SECRET + "x"));
        String token = new Tokens(other).issue(7, Role.PLAYER);
        assertThrows(JwtException.class, () -> decoder.callerOf(token));
    }

    private static String claims(
            String issuer, String audience, String subject, String role, long expiry) {
        return "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"role\":\"%s\",\"exp\":%d}"
                .formatted(issuer, audience, subject, role, expiry);
    }

    private static String signed(String header, String claims) throws GeneralSecurityException {
        String text = encode(header.getBytes(StandardCharsets.UTF_8));
        text += "." + encode(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        return text + "." + encode(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
