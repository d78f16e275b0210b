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
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on clubs. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class ClubResource {

    private final Clubs clubs;
    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    ClubResource(Clubs clubs, ClubService service, Database database, RequestReader reader) {
        this.clubs = clubs;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GET
    @Path("clubs")
    public RestResponse<Listing<Club>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.ascending(query);
        ClubFilter filter = ClubFilter.of(query, TokenFilter.caller(context));
        return Answers.ok(page.listing(database.ask(() -> clubs.list(filter, page)), Club::id));
    }

    @POST
    @Path("clubs")
    public RestResponse<Club> create(InputStream stream, RoutingContext context)
            throws IOException {
        ClubBody body = Validation.club(reader.body(stream, context));
        long owner = TokenFilter.caller(context).id();
        Club club = database.ask(() -> clubs.insert(body, owner));
        return Answers.created("/clubs/" + club.id(), club);
    }

    @GET
    @Path("clubs/{id}")
    public RestResponse<Club> get(@RestPath long id) {
        return database.ask(() -> clubs.find(id)).map(Answers::ok).orElseThrow(Ownership::notFound);
    }

    @PUT
    @Path("clubs/{id}")
    public RestResponse<Club> replace(@RestPath long id, InputStream stream, RoutingContext context)
            throws IOException {
        ClubBody body = Validation.club(reader.body(stream, context));
        return Answers.ok(service.replace(id, body, TokenFilter.caller(context)));
    }

    @POST
    @Path("clubs/{id}/facilities")
    public RestResponse<Facility> addFacility(
            @RestPath long id, InputStream stream, RoutingContext context) throws IOException {
        FacilityBody body = Validation.facility(reader.body(stream, context));
        Facility facility = service.addFacility(id, body, TokenFilter.caller(context));
        return Answers.created("/facilities/" + facility.id(), facility);
    }
}
