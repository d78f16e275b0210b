package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** The operations. */
final class Operations {

    private static final String LIST = "/conferences";
    private static final String WITH_COUNTRY = "/conferenceswithcountry";
    private static final String ONE = "/conferences/:id";
    private static final String MEDIA_TYPE = "application/json";
    private static final byte[] UP = "{\"status\":\"up\"}".getBytes(StandardCharsets.US_ASCII);
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;

    private final Conferences conferences;
    private final Lookups lookups;
    private final Json json;
    private final Problems problems;

    Operations(Conferences conferences, Lookups lookups, Json json, Problems problems) {
        this.conferences = conferences;
        this.lookups = lookups;
        this.json = json;
        this.problems = problems;
    }

    Router router(Vertx vertx) {
        Router router = Router.router(vertx);
        router.route().failureHandler(problems::answer);
        router.get(LIST).handler(to(this::list));
        router.post(LIST).handler(to(this::insert));
        router.get(WITH_COUNTRY).handler(to(this::withCountry));
        router.get(ONE).handler(to(this::get));
        router.put(ONE).handler(to(this::replace));
        router.delete(ONE).handler(to(this::remove));
        router.get("/healthz").handler(to(this::live));
        router.get("/readyz").handler(to(this::ready));
        return router;
    }

    private Future<Void> list(RoutingContext context) {
        Page page = Page.of(context.request().query());
        return read(page)
                .compose(
                        read -> {
                            link(context, page, LIST, read);
                            return ok(context, AnswerJson.conferences(cut(page, read)));
                        });
    }

    private Future<Void> withCountry(RoutingContext context) {
        Page page = Page.of(context.request().query());
        return read(page)
                .compose(
                        read ->
                                lookups.join(cut(page, read), context.response()::closed)
                                        .compose(
                                                joined -> {
                                                    link(context, page, WITH_COUNTRY, read);
                                                    return ok(
                                                            context,
                                                            AnswerJson.conferencesWithCountry(
                                                                    joined));
                                                }));
    }

    private Future<Void> insert(RoutingContext context) {
        return body(context)
                .compose(value -> conferences.insert(Validation.inserted(value)))
                .compose(nothing -> context.response().setStatusCode(ACCEPTED).end());
    }

    private Future<Void> get(RoutingContext context) {
        return conferences
                .get(context.pathParam("id"))
                .compose(
                        found ->
                                found.isEmpty()
                                        ? notFound()
                                        : ok(context, AnswerJson.conference(found.get(0))));
    }

    private Future<Void> replace(RoutingContext context) {
        return body(context)
                .map(value -> Validation.replaced(context.pathParam("id"), value))
                .compose(
                        conference ->
                                conferences
                                        .replace(conference)
                                        .compose(
                                                count ->
                                                        count == 0
                                                                ? notFound()
                                                                : ok(
                                                                        context,
                                                                        AnswerJson.conference(
                                                                                conference))));
    }

    private Future<Void> remove(RoutingContext context) {
        return conferences
                .remove(context.pathParam("id"))
                .compose(
                        count ->
                                count == 0
                                        ? notFound()
                                        : context.response().setStatusCode(NO_CONTENT).end());
    }

    private Future<Void> live(RoutingContext context) {
        return ok(context, UP);
    }

    private Future<Void> ready(RoutingContext context) {
        return conferences.askReady().compose(nothing -> ok(context, UP));
    }

    private Future<List<Conference>> read(Page page) {
        return page == null ? conferences.list() : conferences.list(page);
    }

    private static List<Conference> cut(Page page, List<Conference> read) {
        return page == null ? read : page.cut(read);
    }

    private static void link(
            RoutingContext context, Page page, String path, List<Conference> read) {
        String link = page == null ? null : page.link(path, read);
        if (link != null) {
            context.response().putHeader("Link", link);
        }
    }

    private Future<Object> body(RoutingContext context) {
        String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
        return BodyReader.read(context.request())
                .map(bytes -> RequestBody.text(bytes, type))
                .map(this::value);
    }

    private Object value(String text) {
        try {
            return json.read(text);
        } catch (Json.Malformed e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    private static Future<Void> ok(RoutingContext context, byte[] body) {
        HttpServerResponse response = context.response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE);
        return response.end(Buffer.buffer(body));
    }

    private static Future<Void> notFound() {
        return Future.failedFuture(new Refusal(Problem.NOT_FOUND));
    }

    /** What an operation throws, Vert.x Web gives to the handler of failures by itself. */
    private static Handler<RoutingContext> to(Function<RoutingContext, Future<Void>> operation) {
        return context -> operation.apply(context).onFailure(context::fail);
    }
}
