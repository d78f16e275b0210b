package loadstone.booking;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
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
    public RestResponse<Listing<Facility>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.ascending(query);
        FacilityFilter filter = FacilityFilter.of(query);
        List<Facility> read = database.ask(() -> facilities.list(filter, page));
        return Answers.ok(page.listing(read, Facility::id));
    }

    @GET
    @Path("facilities/{id}")
    public RestResponse<Facility> get(@RestPath long id) {
        return Answers.ok(database.ask(() -> find(id)));
    }

    @PUT
    @Path("facilities/{id}")
    public RestResponse<Facility> replace(
            @RestPath long id, InputStream stream, RoutingContext context) throws IOException {
        FacilityBody body = Validation.facility(reader.body(stream, context));
        return Answers.ok(service.replaceFacility(id, body, TokenFilter.caller(context)));
    }

    @DELETE
    @Path("facilities/{id}")
    public void retire(@RestPath long id, RoutingContext context) {
        service.retireFacility(id, TokenFilter.caller(context));
    }

    @GET
    @Path("facilities/{id}/slots")
    public RestResponse<DayOfSlots> listSlots(@RestPath long id, RoutingContext context) {
        LocalDate day = Query.required(RequestReader.query(context).day("date"));
        Instant from = Instants.start(day);
        Instant to = Instants.start(day.plusDays(1));
        return Answers.ok(
                database.ask(
                        () -> {
                            Facility facility = find(id);
                            return Grid.show(facility, day, reservations.taken(id, from, to));
                        }));
    }

    @GET
    @Path("facilities/{id}/ratings")
    public RestResponse<RatingListing> listRatings(@RestPath long id, RoutingContext context) {
        Page page = Page.ascending(RequestReader.query(context));
        return Answers.ok(
                database.ask(
                        () -> {
                            if (!facilities.exists(id)) {
                                throw Ownership.notFound();
                            }
                            List<Rating> read = ratings.list(id, page);
                            return RatingListing.of(
                                    page.listing(read, Rating::reservationId), ratings.summary(id));
                        }));
    }

    private Facility find(long id) {
        return facilities.find(id).orElseThrow(Ownership::notFound);
    }
}
