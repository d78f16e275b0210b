package loadstone.users;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on coins. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class CoinResource {

    private final CoinService service;
    private final Database database;
    private final RequestReader reader;

    CoinResource(CoinService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GET
    @Path("users/{id}/coins")
    public RestResponse<Wallet> wallet(@RestPath long id) {
        List<Rows.WalletRow> rows =
                database.ask(session -> session.list(Sql.WALLET, Rows::wallet, id));
        if (rows.isEmpty()) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        List<CoinEvent> events =
                rows.stream().map(Rows.WalletRow::event).filter(Objects::nonNull).toList();
        return Answers.ok(new Wallet(id, rows.get(0).coins(), events));
    }

    @POST
    @Path("users/coins")
    public RestResponse<byte[]> grant(InputStream stream, RoutingContext context)
            throws IOException {
        Object value = reader.body(stream, context);
        String key = IdempotencyKey.of(context.request().headers().getAll(IdempotencyKey.FIELD));
        Grant grant = Validation.grant(value);
        CoinService.Given given = service.grant(grant, key, RouteFilter.caller(context).id());
        var answer =
                RestResponse.ResponseBuilder.<byte[]>create(given.status())
                        .entity(given.body().getBytes(StandardCharsets.UTF_8))
                        .type(MediaType.APPLICATION_JSON);
        if (given.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.build();
    }

    @POST
    @Path("internal/coins/debits")
    public RestResponse<Taken> debit(InputStream stream, RoutingContext context)
            throws IOException {
        Debit debit = Validation.debit(reader.body(stream, context));
        return Answers.ok(new Taken(service.debit(debit)));
    }
}
