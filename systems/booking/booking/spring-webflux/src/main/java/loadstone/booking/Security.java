package loadstone.booking;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.web.server.authentication.ServerBearerTokenAuthenticationConverter;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import org.springframework.security.web.server.authorization.ServerAccessDeniedHandler;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import reactor.core.publisher.Mono;

/** Who may ask for an operation: token and role, of a request whose path and method are known. */
@Configuration(proxyBeanMethods = false)
class Security {

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) {
        ServerAuthenticationEntryPoint unauthenticated =
                (exchange, failure) -> Problems.write(exchange, Problem.UNAUTHENTICATED, List.of());
        ServerAccessDeniedHandler forbidden =
                (exchange, failure) -> Problems.write(exchange, Problem.FORBIDDEN, List.of());
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .authorizeExchange(exchanges -> exchanges.anyExchange().access(Security::authorize))
                .exceptionHandling(
                        handling ->
                                handling.authenticationEntryPoint(unauthenticated)
                                        .accessDeniedHandler(forbidden))
                .oauth2ResourceServer(
                        server ->
                                server.bearerTokenConverter(tokenWhereNeeded())
                                        .authenticationEntryPoint(unauthenticated)
                                        .accessDeniedHandler(forbidden)
                                        .jwt(
                                                jwt ->
                                                        jwt.jwtAuthenticationConverter(
                                                                Security::convert)))
                .build();
    }

    @Bean
    ReactiveJwtDecoder decoder(Config config) {
        var decoder = new TokenDecoder(config);
        return token -> Mono.fromCallable(() -> decoder.decode(token));
    }

    /** The path was compared already, and fields may hold what the operations say of them. */
    @Bean
    ServerWebExchangeFirewall firewall() {
        return ServerWebExchangeFirewall.INSECURE_NOOP;
    }

    /** A token that is sent where none is needed is not looked at. */
    private static ServerAuthenticationConverter tokenWhereNeeded() {
        ServerAuthenticationConverter tokens = new ServerBearerTokenAuthenticationConverter();
        return exchange ->
                RouteFilter.operation(exchange).needsToken()
                        ? tokens.convert(exchange)
                        : Mono.empty();
    }

    private static Mono<CallerAuthentication> convert(Jwt token) {
        return Mono.just(CallerAuthentication.of(token));
    }

    private static Mono<AuthorizationResult> authorize(
            Mono<Authentication> authentication, AuthorizationContext context) {
        Operation operation = RouteFilter.operation(context.getExchange());
        if (!operation.needsToken()) {
            return Mono.just(new AuthorizationDecision(true));
        }
        return authentication
                .map(
                        found ->
                                found instanceof CallerAuthentication caller
                                        && operation.access().admits(caller.getPrincipal().role()))
                .defaultIfEmpty(false)
                .map(AuthorizationDecision::new);
    }
}
