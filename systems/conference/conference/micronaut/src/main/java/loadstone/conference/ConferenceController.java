package loadstone.conference;

import io.micronaut.data.model.Limit;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The operations. They wait for the database and for country, so they are not on event loops. */
@Controller
@Consumes(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
class ConferenceController {

    private static final Map<String, String> UP = Map.of("status", "up");
    private static final long UNKNOWN = -1;

    private final Conferences conferences;
    private final Database database;
    private final Lookups lookups;
    private final Json json;

    ConferenceController(Conferences conferences, Database database, Lookups lookups, Json json) {
        this.conferences = conferences;
        this.database = database;
        this.lookups = lookups;
        this.json = json;
    }

    @Get("/conferences")
    HttpResponse<List<Conference>> list(HttpRequest<?> request) {
        Page page = Page.of(query(request));
        List<Conference> read = read(page);
        return page == null
                ? HttpResponse.ok(read)
                : ok(page, "/conferences", read, page.cut(read));
    }

    @Get("/conferenceswithcountry")
    HttpResponse<List<ConferenceWithCountry>> withCountry(HttpRequest<?> request) {
        Page page = Page.of(query(request));
        List<Conference> read = read(page);
        List<Conference> shown = page == null ? read : page.cut(read);
        Channel caller = ((NettyHttpRequest<?>) request).getChannelHandlerContext().channel();
        List<ConferenceWithCountry> joined = lookups.join(shown, () -> !caller.isActive());
        return page == null
                ? HttpResponse.ok(joined)
                : ok(page, "/conferenceswithcountry", read, joined);
    }

    @Post("/conferences")
    HttpResponse<Void> insert(HttpRequest<?> request) throws IOException {
        Conference conference = Validation.inserted(body(request));
        database.ask(
                () -> {
                    conferences.insert(conference);
                    return null;
                });
        return HttpResponse.accepted();
    }

    @Get("/conferences/{id}")
    HttpResponse<Conference> get(@PathVariable String id) {
        return database.ask(() -> conferences.findById(id))
                .map(HttpResponse::ok)
                .orElseThrow(ConferenceController::notFound);
    }

    @Put("/conferences/{id}")
    HttpResponse<Conference> replace(@PathVariable String id, HttpRequest<?> request)
            throws IOException {
        Conference conference = Validation.replaced(id, body(request));
        if (database.ask(() -> conferences.replace(id, conference.getName())) == 0) {
            throw notFound();
        }
        return HttpResponse.ok(conference);
    }

    @Delete("/conferences/{id}")
    HttpResponse<Void> remove(@PathVariable String id) {
        if (database.ask(() -> conferences.remove(id)) == 0) {
            throw notFound();
        }
        return HttpResponse.noContent();
    }

    @Get("/healthz")
    Map<String, String> live() {
        return UP;
    }

    @Get("/readyz")
    Map<String, String> ready() {
        database.askReady();
        return UP;
    }

    private List<Conference> read(Page page) {
        return database.ask(
                () ->
                        page == null
                                ? conferences.listOrderById()
                                : conferences.findByIdGreaterThanOrderById(
                                        page.after(), Limit.of(page.rows(), 0)));
    }

    private Object body(HttpRequest<?> request) throws IOException {
        OptionalLong length = ((ServerHttpRequest<?>) request).byteBody().expectedLength();
        String type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
        try (InputStream stream = ((ServerHttpRequest<?>) request).byteBody().toInputStream()) {
            return json.read(RequestBody.read(stream, length.orElse(UNKNOWN), type));
        } catch (Json.Malformed e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    private static String query(HttpRequest<?> request) {
        String target = RouteFilter.target(request);
        int query = target.indexOf('?');
        return query < 0 ? null : target.substring(query + 1);
    }

    private static <T> HttpResponse<List<T>> ok(
            Page page, String path, List<Conference> read, List<T> shown) {
        String link = page.link(path, read);
        MutableHttpResponse<List<T>> answer = HttpResponse.ok(shown);
        return link == null ? answer : answer.header(HttpHeaders.LINK, link);
    }

    private static Refusal notFound() {
        return new Refusal(Problem.NOT_FOUND);
    }
}
