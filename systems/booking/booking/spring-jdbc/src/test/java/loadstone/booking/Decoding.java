package loadstone.booking;

import org.springframework.security.oauth2.jwt.JwtDecoder;

/** The stack's way from a token to its caller. Throws JwtException. */
record Decoding(JwtDecoder decoder) {

    static Decoding of(Config config) {
        return new Decoding(new Security().decoder(config));
    }

    Caller callerOf(String token) {
        return CallerAuthentication.of(decoder.decode(token)).getPrincipal();
    }
}
