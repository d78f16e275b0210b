package loadstone.booking;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on accounts. A hash is computed while no connection is held. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class AccountResource {

    private final Accounts accounts;
    private final Database database;
    private final Hashes hashes;
    private final Tokens tokens;
    private final RequestReader reader;
    private final Config config;

    AccountResource(
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

    @POST
    @Path("accounts")
    public RestResponse<Account> signUp(InputStream stream, RoutingContext context)
            throws IOException {
        AccountBody body = Validation.account(reader.body(stream, context));
        String hash = hashes.hash(body.password()).join();
        return database.ask(() -> accounts.insert(body, hash))
                .map(account -> Answers.of(RestResponse.Status.CREATED, account))
                .orElseThrow(() -> new Refusal(Problem.EMAIL_TAKEN));
    }

    @POST
    @Path("auth/login")
    public RestResponse<TokenAnswer> logIn(InputStream stream, RoutingContext context)
            throws IOException {
        LogInBody body = Validation.logIn(reader.body(stream, context));
        StoredPassword stored =
                body.mayFit()
                        ? database.ask(() -> accounts.password(body.email())).orElse(null)
                        : null;
        if (!fits(body, stored)) {
            throw new Refusal(Problem.BAD_CREDENTIALS);
        }
        String token = tokens.issue(stored.accountId(), stored.role(), Instant.now());
        return Answers.ok(TokenAnswer.of(token, config));
    }

    private boolean fits(LogInBody body, StoredPassword stored) {
        return stored == null
                ? hashes.fitsNobody().join()
                : hashes.fits(body.password(), stored.hash()).join();
    }

    @GET
    @Path("accounts/me")
    public RestResponse<Account> me(RoutingContext context) {
        long id = TokenFilter.caller(context).id();
        return database.ask(() -> accounts.find(id))
                .map(Answers::ok)
                .orElseThrow(() -> new Refusal(Problem.UNAUTHENTICATED));
    }
}
