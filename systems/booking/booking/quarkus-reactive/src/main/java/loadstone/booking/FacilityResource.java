package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.LocalDate;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on facilities, their slots and their ratings. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class FacilityResource {

    private final Facilities facilities;
    private final Reservations reservations;
    private final Ratings ratings;
    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    FacilityResource(
            Facilities facilities,
            Reservations reservations,
            Ratings ratings,
            ClubService service,
            Database database,
            RequestReader reader) {
        this.facilities = facilities;
        this.reservations = reservations;
        this.ratings = ratings;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GET
    @Path("facilities")
    public Uni<RestResponse<Listing<Facility>>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.ascending(query);
        FacilityFilter filter = FacilityFilter.of(query);
        return database.ask(lease -> facilities.list(lease, filter, page))
                .map(read -> Answers.ok(page.listing(read, Facility::id)));
    }

    @GET
    @Path("facilities/{id}")
    public Uni<RestResponse<Facility>> get(@RestPath long id) {
        return database.ask(lease -> find(lease, id)).map(Answers::ok);
    }

    @PUT
    @Path("facilities/{id}")
    public Uni<RestResponse<Facility>> replace(@RestPath long id, RoutingContext context) {
        Caller owner = TokenFilter.caller(context);
        return reader.body(context)
                .map(Validation::facility)
                .chain(body -> service.replaceFacility(id, body, owner))
                .map(Answers::ok);
    }

    @DELETE
    @Path("facilities/{id}")
    public Uni<RestResponse<Void>> retire(@RestPath long id, RoutingContext context) {
        return service.retireFacility(id, TokenFilter.caller(context))
                .map(nothing -> RestResponse.noContent());
    }

    @GET
    @Path("facilities/{id}/slots")
    public Uni<RestResponse<DayOfSlots>> listSlots(@RestPath long id, RoutingContext context) {
        LocalDate day = Query.required(RequestReader.query(context).day("date"));
        return database.ask(lease -> slots(lease, id, day)).map(Answers::ok);
    }

    private Uni<DayOfSlots> slots(Lease lease, long id, LocalDate day) {
        Instant from = Instants.start(day);
        Instant to = Instants.start(day.plusDays(1));
        return find(lease, id)
                .chain(
                        facility ->
                                reservations
                                        .taken(lease, id, from, to)
                                        .map(taken -> Grid.show(facility, day, taken)));
    }

    @GET
    @Path("facilities/{id}/ratings")
    public Uni<RestResponse<RatingListing>> listRatings(@RestPath long id, RoutingContext context) {
        Page page = Page.ascending(RequestReader.query(context));
        return database.ask(lease -> ratings(lease, id, page)).map(Answers::ok);
    }

    private Uni<RatingListing> ratings(Lease lease, long id, Page page) {
        return facilities
                .exists(lease, id)
                .invoke(FacilityResource::checkFound)
                .chain(() -> ratings.list(lease, id, page))
                .map(read -> page.listing(read, Rating::reservationId))
                .chain(
                        listing ->
                                ratings.summary(lease, id)
                                        .map(summary -> RatingListing.of(listing, summary)));
    }

    private Uni<Facility> find(Lease lease, long id) {
        return facilities
                .find(lease, id)
                .map(facility -> facility.orElseThrow(Ownership::notFound));
    }

    private static void checkFound(boolean isFound) {
        if (!isFound) {
            throw Ownership.notFound();
        }
    }
}
