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
    public Uni<RestResponse<Listing<Club>>> list(RoutingContext context) {
        Query query = RequestReader.query(context);
        Page page = Page.ascending(query);
        ClubFilter filter = ClubFilter.of(query, TokenFilter.caller(context));
        return database.ask(lease -> clubs.list(lease, filter, page))
                .map(read -> Answers.ok(page.listing(read, Club::id)));
    }

    @POST
    @Path("clubs")
    public Uni<RestResponse<Club>> create(RoutingContext context) {
        long owner = TokenFilter.caller(context).id();
        return reader.body(context)
                .map(Validation::club)
                .chain(body -> database.ask(lease -> clubs.insert(lease, body, owner)))
                .map(club -> Answers.created("/clubs/" + club.id(), club));
    }

    @GET
    @Path("clubs/{id}")
    public Uni<RestResponse<Club>> get(@RestPath long id) {
        return database.ask(lease -> clubs.find(lease, id))
                .map(club -> Answers.ok(club.orElseThrow(Ownership::notFound)));
    }

    @PUT
    @Path("clubs/{id}")
    public Uni<RestResponse<Club>> replace(@RestPath long id, RoutingContext context) {
        Caller owner = TokenFilter.caller(context);
        return reader.body(context)
                .map(Validation::club)
                .chain(body -> service.replace(id, body, owner))
                .map(Answers::ok);
    }

    @POST
    @Path("clubs/{id}/facilities")
    public Uni<RestResponse<Facility>> addFacility(@RestPath long id, RoutingContext context) {
        Caller owner = TokenFilter.caller(context);
        return reader.body(context)
                .map(Validation::facility)
                .chain(body -> service.addFacility(id, body, owner))
                .map(facility -> Answers.created("/facilities/" + facility.id(), facility));
    }
}
