package loadstone.users;

import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations with a password. A hash is computed while no connection is held. */
@RestController
class AccountController {

    private final UserService service;
    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;

    AccountController(
            UserService service,
            Database database,
            Hashes hashes,
            Tokens tokens,
            RequestReader reader) {
        this.service = service;
        this.database = database;
        this.hashes = hashes;
        this.tokens = tokens;
        this.reader = reader;
    }

    @PostMapping("/users")
    Mono<ResponseEntity<User>> create(ServerHttpRequest request) {
        return reader.body(request, Validation::newUser)
                .flatMap(
                        body ->
                                Mono.fromFuture(() -> hashes.hash(body.password()))
                                        .flatMap(hash -> service.create(body, hash)))
                .map(user -> Answers.created("/users/" + user.id(), user));
    }

    @PostMapping("/users/login")
    Mono<ResponseEntity<TokenAnswer>> login(ServerHttpRequest request) {
        return reader.body(request, Validation::login)
                .flatMap(body -> account(body).flatMap(account -> check(body, account)))
                .map(account -> Answers.ok(tokens.issue(account)));
    }

    /** Asks for nobody whom no user can be. */
    private Mono<Optional<Account>> account(LoginBody body) {
        return body.mayFit()
                ? database.ask(session -> session.row(Sql.ACCOUNT, Rows::account, body.email()))
                        .singleOptional()
                : Mono.just(Optional.empty());
    }

    private Mono<Account> check(LoginBody body, Optional<Account> found) {
        return Mono.fromFuture(
                        () ->
                                found.isEmpty()
                                        ? hashes.fitsNobody()
                                        : hashes.fits(body.password(), found.get().passwordHash()))
                .map(fits -> admitted(found, fits));
    }

    private static Account admitted(Optional<Account> found, boolean fits) {
        Account account =
                found.filter(any -> fits).orElseThrow(() -> new Refusal(Problem.CREDENTIALS));
        if (account.status() != UserStatus.ENABLED) {
            throw new Refusal(Problem.ACCOUNT_BLOCKED);
        }
        return account;
    }
}
