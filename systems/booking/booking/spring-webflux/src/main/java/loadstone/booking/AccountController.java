package loadstone.booking;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on accounts. A hash is computed while no connection is held. */
@RestController
class AccountController {

    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;
    private final Config config;

    AccountController(
            Database database, Hashes hashes, Tokens tokens, RequestReader reader, Config config) {
        this.database = database;
        this.hashes = hashes;
        this.tokens = tokens;
        this.reader = reader;
        this.config = config;
    }

    @PostMapping("/accounts")
    Mono<ResponseEntity<Account>> signUp(ServerHttpRequest request) {
        return reader.body(request, Validation::account)
                .flatMap(
                        body ->
                                Mono.fromFuture(() -> hashes.hash(body.password()), true)
                                        .flatMap(hash -> insert(body, hash)))
                .map(account -> Answers.of(HttpStatus.CREATED, account));
    }

    private Mono<Account> insert(AccountBody body, String hash) {
        return database.ask(
                        session ->
                                session.row(
                                        Sql.INSERT_ACCOUNT,
                                        Rows::account,
                                        body.email(),
                                        body.name(),
                                        hash,
                                        body.role()))
                .switchIfEmpty(Ownership.refused(Problem.EMAIL_TAKEN));
    }

    @PostMapping("/auth/login")
    Mono<ResponseEntity<TokenAnswer>> logIn(ServerHttpRequest request) {
        return reader.body(request, Validation::logIn)
                .flatMap(this::verify)
                .switchIfEmpty(Ownership.refused(Problem.BAD_CREDENTIALS))
                .map(account -> tokens.issue(account.accountId(), account.role()))
                .map(token -> Answers.ok(TokenAnswer.of(token, config)));
    }

    /** Gives the account, or nothing, both after as much time. */
    private Mono<StoredPassword> verify(LogInBody body) {
        Mono<StoredPassword> nobody =
                Mono.fromFuture(hashes::fitsNobody, true).flatMap(fits -> Mono.empty());
        return find(body)
                .map(stored -> verify(body, stored))
                .defaultIfEmpty(nobody)
                .flatMap(verified -> verified);
    }

    private Mono<StoredPassword> verify(LogInBody body, StoredPassword stored) {
        return Mono.fromFuture(() -> hashes.fits(body.password(), stored.hash()), true)
                .filter(fits -> fits)
                .map(fits -> stored);
    }

    private Mono<StoredPassword> find(LogInBody body) {
        return body.mayFit()
                ? database.ask(
                        session -> session.row(Sql.PASSWORD, Rows::storedPassword, body.email()))
                : Mono.empty();
    }

    @GetMapping("/accounts/me")
    Mono<ResponseEntity<Account>> me(@AuthenticationPrincipal Caller caller) {
        return database.ask(session -> session.row(Sql.ACCOUNT, Rows::account, caller.id()))
                .switchIfEmpty(Ownership.refused(Problem.UNAUTHENTICATED))
                .map(Answers::ok);
    }
}
