package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations with a password. A hash is computed while no connection is held. */
@RestController
class AccountController {

    private final Users users;
    private final UserService service;
    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;

    AccountController(
            Users users,
            UserService service,
            Database database,
            Hashes hashes,
            Tokens tokens,
            RequestReader reader) {
        this.users = users;
        this.service = service;
        this.database = database;
        this.hashes = hashes;
        this.tokens = tokens;
        this.reader = reader;
    }

    @PostMapping("/users")
    ResponseEntity<User> create(HttpServletRequest request) throws IOException {
        NewUser body = Validation.newUser(reader.body(request));
        User user = service.create(body, hashes.hash(body.password()).join());
        return Answers.created("/users/" + user.id(), user);
    }

    @PostMapping("/users/login")
    ResponseEntity<TokenAnswer> login(HttpServletRequest request) throws IOException {
        LoginBody body = Validation.login(reader.body(request));
        Account account =
                body.mayFit() ? database.ask(() -> users.account(body.email())).orElse(null) : null;
        if (!fits(body, account)) {
            throw new Refusal(Problem.CREDENTIALS);
        }
        if (account.status() != UserStatus.ENABLED) {
            throw new Refusal(Problem.ACCOUNT_BLOCKED);
        }
        return Answers.ok(tokens.issue(account));
    }

    private boolean fits(LoginBody body, Account account) {
        return account == null
                ? hashes.fitsNobody().join()
                : hashes.fits(body.password(), account.passwordHash()).join();
    }
}
