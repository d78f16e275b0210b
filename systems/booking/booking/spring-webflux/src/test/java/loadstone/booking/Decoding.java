package loadstone.booking;

import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;

/** The stack's way from a token to its caller. Throws JwtException. */
record Decoding(ReactiveJwtDecoder decoder) {

    static Decoding of(Config config) {
        return new Decoding(new Security().decoder(config));
    }

    Caller callerOf(String token) {
        return CallerAuthentication.of(decoder.decode(token).block()).getPrincipal();
    }
}
