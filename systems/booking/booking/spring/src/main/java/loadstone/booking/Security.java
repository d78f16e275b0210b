package loadstone.booking;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;

/** Who may ask for an operation: token and role, of a request whose path and method are known. */
@Configuration(proxyBeanMethods = false)
class Security {

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        AuthenticationEntryPoint unauthenticated =
                (request, response, failure) ->
                        Problems.write(response, Problem.UNAUTHENTICATED, List.of());
        AccessDeniedHandler forbidden =
                (request, response, failure) ->
                        Problems.write(response, Problem.FORBIDDEN, List.of());
        return http.csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(
                        sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(
                        requests -> requests.anyRequest().access(Security::authorize))
                .exceptionHandling(
                        handling ->
                                handling.authenticationEntryPoint(unauthenticated)
                                        .accessDeniedHandler(forbidden))
                .oauth2ResourceServer(
                        server ->
                                server.bearerTokenResolver(tokenWhereNeeded())
                                        .authenticationEntryPoint(unauthenticated)
                                        .accessDeniedHandler(forbidden)
                                        .jwt(
                                                jwt ->
                                                        jwt.jwtAuthenticationConverter(
                                                                CallerAuthentication::of)))
                .build();
    }

    @Bean
    JwtDecoder decoder(Config config) {
        return new TokenDecoder(config);
    }

    /** The path was compared already, and fields may hold what the operations say of them. */
    @Bean
    HttpFirewall firewall() {
        return new HttpFirewall() {
            @Override
            public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
                return new FirewalledRequest(request) {
                    @Override
                    public void reset() {}
                };
            }

            @Override
            public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
                return response;
            }
        };
    }

    /** A token that is sent where none is needed is not looked at. */
    private static BearerTokenResolver tokenWhereNeeded() {
        BearerTokenResolver tokens = new DefaultBearerTokenResolver();
        return request ->
                RouteFilter.operation(request).needsToken() ? tokens.resolve(request) : null;
    }

    private static AuthorizationResult authorize(
            Supplier<? extends Authentication> authentication,
            RequestAuthorizationContext context) {
        Operation operation = RouteFilter.operation(context.getRequest());
        return new AuthorizationDecision(
                !operation.needsToken()
                        || (authentication.get() instanceof CallerAuthentication caller
                                && operation.access().admits(caller.getPrincipal().role())));
    }
}
