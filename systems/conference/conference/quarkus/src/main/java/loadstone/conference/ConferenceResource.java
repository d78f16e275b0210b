package loadstone.conference;

import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations. They wait for the database and for country, so they are on worker threads. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class ConferenceResource {

    private static final Map<String, String> UP = Map.of("status", "up");
    private static final long UNKNOWN = -1;

    private final Conferences conferences;
    private final Database database;
    private final Lookups lookups;
    private final Json json;

    ConferenceResource(Conferences conferences, Database database, Lookups lookups, Json json) {
        this.conferences = conferences;
        this.database = database;
        this.lookups = lookups;
        this.json = json;
    }

    @GET
    @Path("conferences")
    public RestResponse<List<Conference>> list(HttpServerRequest request) {
        Page page = Page.of(request.query());
        List<Conference> read = read(page);
        return page == null ? ok(read) : ok(page, "/conferences", read, page.cut(read));
    }

    @GET
    @Path("conferenceswithcountry")
    public RestResponse<List<ConferenceWithCountry>> withCountry(HttpServerRequest request) {
        Page page = Page.of(request.query());
        List<Conference> read = read(page);
        List<Conference> shown = page == null ? read : page.cut(read);
        HttpServerResponse caller = request.response();
        List<ConferenceWithCountry> joined = lookups.join(shown, caller::closed);
        return page == null ? ok(joined) : ok(page, "/conferenceswithcountry", read, joined);
    }

    @POST
    @Path("conferences")
    public RestResponse<Void> insert(InputStream body, RoutingContext context) throws IOException {
        Conference conference = Validation.inserted(value(body, context));
        database.ask(
                () -> {
                    conferences.insert(conference);
                    return null;
                });
        return RestResponse.accepted();
    }

    @GET
    @Path("conferences/{id}")
    public RestResponse<Conference> get(@RestPath String id) {
        return database.ask(() -> conferences.get(id))
                .map(ConferenceResource::ok)
                .orElseThrow(ConferenceResource::notFound);
    }

    @PUT
    @Path("conferences/{id}")
    public RestResponse<Conference> replace(
            @RestPath String id, InputStream body, RoutingContext context) throws IOException {
        Conference conference = Validation.replaced(id, value(body, context));
        if (database.ask(() -> conferences.replace(id, conference.getName())) == 0) {
            throw notFound();
        }
        return ok(conference);
    }

    @DELETE
    @Path("conferences/{id}")
    public void remove(@RestPath String id) {
        if (database.ask(() -> conferences.remove(id)) == 0) {
            throw notFound();
        }
    }

    /** Waits for nothing, so that it answers also while all worker threads do. */
    @GET
    @Path("healthz")
    @NonBlocking
    public RestResponse<Map<String, String>> live() {
        return ok(UP);
    }

    @GET
    @Path("readyz")
    public RestResponse<Map<String, String>> ready() {
        database.askReady();
        return ok(UP);
    }

    private List<Conference> read(Page page) {
        return database.ask(() -> page == null ? conferences.inOrder() : conferences.inOrder(page));
    }

    private Object value(InputStream body, RoutingContext context) throws IOException {
        String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return json.read(
                    RequestBody.read(
                            body,
                            length == null ? UNKNOWN : Long.parseLong(length),
                            RouteFilter.contentType(context)));
        } catch (Json.Malformed e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    /** The type is named, since Quarkus would add a charset to that of the class. */
    private static <T> RestResponse<T> ok(T body) {
        return RestResponse.ResponseBuilder.ok(body, MediaType.APPLICATION_JSON).build();
    }

    private static <T> RestResponse<List<T>> ok(
            Page page, String path, List<Conference> read, List<T> shown) {
        String link = page.link(path, read);
        var answer = RestResponse.ResponseBuilder.ok(shown, MediaType.APPLICATION_JSON);
        return (link == null ? answer : answer.header(HttpHeaders.LINK, link)).build();
    }

    private static Refusal notFound() {
        return new Refusal(Problem.NOT_FOUND);
    }
}
