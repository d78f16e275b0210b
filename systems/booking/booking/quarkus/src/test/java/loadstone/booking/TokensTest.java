package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final String HEADER = "{\"alg\":\"HS256\"}";
    private static final String CLAIMS =
            "{\"iss\":\"booking\",\"aud\":\"booking\",\"sub\":\"7\",\"role\":\"owner\","
                    + "\"iat\":1800000000,\"exp\":1800003600}";

    private static final Tokens TOKENS =
            new Tokens(
                    Config.read(
                            Map.of(
                                    "PORT", "0",
                                    "DATABASE_URL", "postgres://u:p@127.0.0.1:1/booking",
                                    "JWT_SECRET", SECRET)));

    @Test
    void aTokenHasTheClaimsAndNoOthers() {
        String token = TOKENS.issue(7, Role.OWNER, NOW.plusMillis(999));
        String claims = token.split("\\.")[1];
        assertEquals(
                CLAIMS, new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8));
        assertEquals(new Caller(7, Role.OWNER), TOKENS.caller("Bearer " + token, NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER  "})
    void theSchemeIsInAnyCase(String scheme) throws Exception {
        assertNotNull(TOKENS.caller(scheme + sign(HEADER, CLAIMS, "HmacSHA256", SECRET), NOW));
    }

    @Test
    void aTokenIsOverInTheSecondOfItsExpiry() throws Exception {
        String field = "Bearer " + sign(HEADER, CLAIMS, "HmacSHA256", SECRET);
        assertNotNull(TOKENS.caller(field, NOW.plusMillis(3_599_999)));
        assertNull(TOKENS.caller(field, NOW.plusSeconds(3_600)));
    }

    @Test
    void otherClaimsAreNotLookedAt() throws Exception {
        String claims = CLAIMS.replace("\"iat\":1800000000", "\"iat\":\"x\",\"nbf\":1900000000");
        String field = "Bearer " + sign(HEADER, claims, "HmacSHA256", SECRET);
        assertEquals(new Caller(7, Role.OWNER), TOKENS.caller(field, NOW));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "null",
                "''",
                "Bearer",
                "'Bearer '",
                "Basic dTpw",
                "Bearer a.b.c",
                "Bearer ..."
            })
    void whatIsNoTokenIsNone(String field) {
        assertNull(TOKENS.caller(field, NOW));
    }

    @ParameterizedTest
    @CsvSource({
        "HS384, HmacSHA384",
        "HS512, HmacSHA512",
        "none, HmacSHA256",
        "NONE, HmacSHA256",
    })
    void anotherAlgorithmIsRefused(String name, String algorithm) throws Exception {
        String secret = SECRET + SECRET;
        String header = "{\"alg\":\"" + name + "\"}";
        String token = sign(header, CLAIMS, algorithm, secret);
        assertNull(TOKENS.caller("Bearer " + token, NOW));
        String unsigned = token.substring(0, token.lastIndexOf('.') + 1);
        assertNull(TOKENS.caller("Bearer " + unsigned, NOW));
    }

    @Test
    void whatStandsBesideATokenIsNotLeftOut() throws Exception {
        String token = sign(HEADER, CLAIMS, "HmacSHA256", SECRET);
        for (String end : new String[] {",", "=", " " + token, "."}) {
            assertNull(TOKENS.caller("Bearer " + token + end, NOW), end);
        }
    }

    @Test
    void anotherKeyIsRefused() throws Exception {
        String token = sign(HEADER, CLAIMS, "HmacSHA256", SECRET.replace('0', '1'));
        assertNull(TOKENS.caller("Bearer " + token, NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"iss\":\"booking\"",
                "\"aud\":\"booking\"",
                "\"sub\":\"7\"",
                "\"role\":\"owner\"",
                "\"exp\":1800003600"
            })
    void aClaimThatIsMissingOrOfAnotherTypeIsRefused(String claim) throws Exception {
        String name = claim.substring(0, claim.indexOf(':'));
        for (String other :
                new String[] {"\"x\":1", name + ":{}", name + ":true", name + ":\"x\""}) {
            String claims = CLAIMS.replace(claim, other);
            String token = sign(HEADER, claims, "HmacSHA256", SECRET);
            assertNull(TOKENS.caller("Bearer " + token, NOW), claims);
        }
    }

    @Test
    void anExpiryBeyondAllTimeIsNoFailure() throws Exception {
        String claims = CLAIMS.replace("1800003600", Long.toString(Long.MAX_VALUE));
        assertNull(TOKENS.caller("Bearer " + sign(HEADER, claims, "HmacSHA256", SECRET), NOW));
    }

    private static String sign(String header, String claims, String algorithm, String secret)
            throws Exception {
        String signed =
                encode(header.getBytes(StandardCharsets.UTF_8))
                        + "."
                        + encode(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), algorithm));
        return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
