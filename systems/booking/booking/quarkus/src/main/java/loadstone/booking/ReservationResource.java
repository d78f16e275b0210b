package loadstone.booking;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
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
    public RestResponse<byte[]> reserve(InputStream stream, RoutingContext context)
            throws IOException {
        Object value = reader.body(stream, context);
        String key = IdempotencyKey.of(context.request().getHeader(IdempotencyKey.FIELD));
        ReservationBody body = Validation.reservation(value, Instant.now());
        Reserved reserved = service.reserve(body, key, TokenFilter.caller(context));
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
    public RestResponse<Listing<Reservation>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.descending(query);
        ReservationFilter filter = ReservationFilter.of(query);
        Caller caller = TokenFilter.caller(context);
        List<Reservation> read =
                database.ask(
                        () ->
                                switch (caller.role()) {
                                    case PLAYER ->
                                            reservations.listOfPlayer(caller.id(), filter, page);
                                    case OWNER ->
                                            reservations.listOfOwner(caller.id(), filter, page);
                                });
        return Answers.ok(page.listing(read, Reservation::id));
    }

    @GET
    @Path("reservations/{id}")
    public RestResponse<Reservation> get(@RestPath long id, RoutingContext context) {
        Caller caller = TokenFilter.caller(context);
        return database.ask(() -> reservations.find(id))
                .filter(found -> found.isOfPlayer(caller) || found.isOfOwner(caller))
                .map(found -> Answers.ok(found.reservation()))
                .orElseThrow(Ownership::notFound);
    }

    @POST
    @Path("reservations/{id}/accept")
    public RestResponse<Reservation> accept(@RestPath long id, RoutingContext context) {
        return Answers.ok(service.decide(id, "accepted", TokenFilter.caller(context)));
    }

    @POST
    @Path("reservations/{id}/reject")
    public RestResponse<Reservation> reject(@RestPath long id, RoutingContext context) {
        return Answers.ok(service.decide(id, "rejected", TokenFilter.caller(context)));
    }

    @POST
    @Path("reservations/{id}/cancel")
    public RestResponse<Reservation> cancel(@RestPath long id, RoutingContext context) {
        return Answers.ok(service.cancel(id, TokenFilter.caller(context)));
    }

    @PUT
    @Path("reservations/{id}/rating")
    public RestResponse<Rating> rate(@RestPath long id, InputStream stream, RoutingContext context)
            throws IOException {
        RatingBody body = Validation.rating(reader.body(stream, context));
        Rated rated = service.rate(id, body, TokenFilter.caller(context));
        return Answers.of(
                rated.isNew() ? RestResponse.Status.CREATED : RestResponse.Status.OK,
                rated.rating());
    }
}
