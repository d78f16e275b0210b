package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on accounts. A hash is computed while no connection is held. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class AccountResource {

    private final Accounts accounts;
    private final Database database;
    private final HashCalls hashes;
    private final Tokens tokens;
    private final RequestReader reader;
    private final Config config;

    AccountResource(
            Accounts accounts,
            Database database,
            HashCalls hashes,
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
    public Uni<RestResponse<Account>> signUp(RoutingContext context) {
        return reader.body(context)
                .map(Validation::account)
                .chain(this::insert)
                .map(account -> account.orElseThrow(() -> new Refusal(Problem.EMAIL_TAKEN)))
                .map(account -> Answers.of(RestResponse.Status.CREATED, account));
    }

    private Uni<Optional<Account>> insert(AccountBody body) {
        return hashes.hash(body.password())
                .chain(hash -> database.ask(lease -> accounts.insert(lease, body, hash)));
    }

    @POST
    @Path("auth/login")
    public Uni<RestResponse<TokenAnswer>> logIn(RoutingContext context) {
        return reader.body(context)
                .map(Validation::logIn)
                .chain(body -> find(body).chain(stored -> check(body, stored)))
                .map(stored -> tokens.issue(stored.accountId(), stored.role(), Instant.now()))
                .map(token -> Answers.ok(TokenAnswer.of(token, config)));
    }

    private Uni<Optional<StoredPassword>> find(LogInBody body) {
        return body.mayFit()
                ? database.ask(lease -> accounts.password(lease, body.email()))
                : Uni.createFrom().item(Optional.empty());
    }

    private Uni<StoredPassword> check(LogInBody body, Optional<StoredPassword> stored) {
        return stored.map(account -> hashes.fits(body.password(), account.hash()))
                .orElseGet(hashes::fitsNobody)
                .map(
                        fits ->
                                stored.filter(account -> fits)
                                        .orElseThrow(() -> new Refusal(Problem.BAD_CREDENTIALS)));
    }

    @GET
    @Path("accounts/me")
    public Uni<RestResponse<Account>> me(RoutingContext context) {
        long id = TokenFilter.caller(context).id();
        return database.ask(lease -> accounts.find(lease, id))
                .map(account -> account.orElseThrow(() -> new Refusal(Problem.UNAUTHENTICATED)))
                .map(Answers::ok);
    }
}
