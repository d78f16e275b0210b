package loadstone.booking;

import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.oauth2.jwt.Jwt;

/** A caller with a valid token, as Spring Security has it. */
final class CallerAuthentication extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final transient Caller caller;

    private CallerAuthentication(Caller caller) {
        super(List.of());
        this.caller = caller;
        super.setAuthenticated(true);
    }

    /** Of what TokenDecoder gave. */
    static CallerAuthentication of(Jwt token) {
        Role role = Role.of(token.getClaim(Claims.ROLE));
        return new CallerAuthentication(new Caller(Long.parseLong(token.getSubject()), role));
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public Object getCredentials() {
        return "";
    }
}
