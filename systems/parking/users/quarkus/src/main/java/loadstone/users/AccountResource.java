package loadstone.users;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations with a password. A hash is computed while no connection is held. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class AccountResource {

    private final UserService service;
    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;

    AccountResource(
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

    @POST
    @Path("users")
    public RestResponse<User> create(InputStream stream, RoutingContext context)
            throws IOException {
        NewUser body = Validation.newUser(reader.body(stream, context));
        User user = service.create(body, hashes.hash(body.password()).join());
        return Answers.created("/users/" + user.id(), user);
    }

    @POST
    @Path("users/login")
    public RestResponse<TokenAnswer> login(InputStream stream, RoutingContext context)
            throws IOException {
        LoginBody body = Validation.login(reader.body(stream, context));
        Account account =
                body.mayFit()
                        ? database.ask(
                                        session ->
                                                session.row(
                                                        Sql.ACCOUNT, Rows::account, body.email()))
                                .orElse(null)
                        : null;
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
