package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on reservations. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class ReservationResource {

    private final Reservations reservations;
    private final ReservationService service;
    private final Database database;
    private final RequestReader reader;

    ReservationResource(
            Reservations reservations,
            ReservationService service,
            Database database,
            RequestReader reader) {
        this.reservations = reservations;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @POST
    @Path("reservations")
    public Uni<RestResponse<byte[]>> reserve(RoutingContext context) {
        Caller player = TokenFilter.caller(context);
        String field = context.request().getHeader(IdempotencyKey.FIELD);
        return reader.body(context)
                .chain(
                        value -> {
                            String key = IdempotencyKey.of(field);
                            ReservationBody body = Validation.reservation(value, Instant.now());
                            return service.reserve(body, key, player);
                        })
                .map(ReservationResource::answer);
    }

    private static RestResponse<byte[]> answer(Reserved reserved) {
        var answer =
                Answers.creating(
                        reserved.location(), reserved.body().getBytes(StandardCharsets.UTF_8));
        if (reserved.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.build();
    }

    @GET
    @Path("reservations")
    public Uni<RestResponse<Listing<Reservation>>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.descending(query);
        ReservationFilter filter = ReservationFilter.of(query);
        Caller caller = TokenFilter.caller(context);
        return database.ask(lease -> reservations.list(lease, caller, filter, page))
                .map(read -> Answers.ok(page.listing(read, Reservation::id)));
    }

    @GET
    @Path("reservations/{id}")
    public Uni<RestResponse<Reservation>> get(@RestPath long id, RoutingContext context) {
        Caller caller = TokenFilter.caller(context);
        return database.ask(lease -> reservations.find(lease, id))
                .map(
                        found ->
                                found.filter(
                                                owned ->
                                                        owned.isOfPlayer(caller)
                                                                || owned.isOfOwner(caller))
                                        .orElseThrow(Ownership::notFound))
                .map(owned -> Answers.ok(owned.reservation()));
    }

    @POST
    @Path("reservations/{id}/accept")
    public Uni<RestResponse<Reservation>> accept(@RestPath long id, RoutingContext context) {
        return service.decide(id, "accepted", TokenFilter.caller(context)).map(Answers::ok);
    }

    @POST
    @Path("reservations/{id}/reject")
    public Uni<RestResponse<Reservation>> reject(@RestPath long id, RoutingContext context) {
        return service.decide(id, "rejected", TokenFilter.caller(context)).map(Answers::ok);
    }

    @POST
    @Path("reservations/{id}/cancel")
    public Uni<RestResponse<Reservation>> cancel(@RestPath long id, RoutingContext context) {
        return service.cancel(id, TokenFilter.caller(context)).map(Answers::ok);
    }

    @PUT
    @Path("reservations/{id}/rating")
    public Uni<RestResponse<Rating>> rate(@RestPath long id, RoutingContext context) {
        Caller player = TokenFilter.caller(context);
        return reader.body(context)
                .map(Validation::rating)
                .chain(body -> service.rate(id, body, player))
                .map(
                        rated ->
                                Answers.of(
                                        rated.isNew()
                                                ? RestResponse.Status.CREATED
                                                : RestResponse.Status.OK,
                                        rated.rating()));
    }
}
