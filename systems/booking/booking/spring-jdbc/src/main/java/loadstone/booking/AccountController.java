package loadstone.booking;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on accounts. A hash is computed while no connection is held. */
@RestController
class AccountController {

    private final Accounts accounts;
    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;
    private final Config config;

    AccountController(
            Accounts accounts,
            Database database,
            Hashes hashes,
            Tokens tokens,
            RequestReader reader,
            Config config) {
        this.accounts = accounts;
        this.database = database;
        this.hashes = hashes;
        this.tokens = tokens;
        this.reader = reader;
        this.config = config;
    }

    @PostMapping("/accounts")
    ResponseEntity<Account> signUp(HttpServletRequest request) throws IOException {
        AccountBody body = Validation.account(reader.body(request));
        String hash = hashes.hash(body.password()).join();
        return database.ask(() -> accounts.insert(body, hash))
                .map(account -> Answers.of(HttpStatus.CREATED, account))
                .orElseThrow(() -> new Refusal(Problem.EMAIL_TAKEN));
    }

    @PostMapping("/auth/login")
    ResponseEntity<TokenAnswer> logIn(HttpServletRequest request) throws IOException {
        LogInBody body = Validation.logIn(reader.body(request));
        StoredPassword stored =
                body.mayFit()
                        ? database.ask(() -> accounts.password(body.email())).orElse(null)
                        : null;
        if (!fits(body, stored)) {
            throw new Refusal(Problem.BAD_CREDENTIALS);
        }
        String token = tokens.issue(stored.accountId(), stored.role());
        return Answers.ok(TokenAnswer.of(token, config));
    }

    private boolean fits(LogInBody body, StoredPassword stored) {
        return stored == null
                ? hashes.fitsNobody().join()
                : hashes.fits(body.password(), stored.hash()).join();
    }

    @GetMapping("/accounts/me")
    ResponseEntity<Account> me(@AuthenticationPrincipal Caller caller) {
        Optional<Account> account = database.ask(() -> accounts.find(caller.id()));
        return account.map(Answers::ok).orElseThrow(() -> new Refusal(Problem.UNAUTHENTICATED));
    }
}
