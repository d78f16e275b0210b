package loadstone.conference;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.springframework.data.domain.Limit;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations. */
@RestController
class ConferenceController {

    private static final Map<String, String> UP = Map.of("status", "up");

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

    @GetMapping("/conferences")
    ResponseEntity<List<Conference>> list(HttpServletRequest request) {
        Page page = Page.of(request.getQueryString());
        List<Conference> read = read(page);
        return page == null ? ok(read) : ok(page, "/conferences", read, page.cut(read));
    }

    @GetMapping("/conferenceswithcountry")
    ResponseEntity<List<ConferenceWithCountry>> withCountry(HttpServletRequest request) {
        Page page = Page.of(request.getQueryString());
        List<Conference> read = read(page);
        List<Conference> shown = page == null ? read : page.cut(read);
        List<ConferenceWithCountry> joined = lookups.join(shown, Caller.here()::isGone);
        return page == null ? ok(joined) : ok(page, "/conferenceswithcountry", read, joined);
    }

    @PostMapping("/conferences")
    ResponseEntity<Void> insert(HttpServletRequest request) throws IOException {
        Conference conference = Validation.inserted(body(request));
        database.ask(
                () -> {
                    conferences.insert(conference);
                    return null;
                });
        return ResponseEntity.accepted().build();
    }

    @GetMapping("/conferences/{id}")
    ResponseEntity<Conference> get(@PathVariable String id) {
        return database.ask(() -> conferences.findById(id))
                .map(ConferenceController::ok)
                .orElseThrow(ConferenceController::notFound);
    }

    @PutMapping("/conferences/{id}")
    ResponseEntity<Conference> replace(@PathVariable String id, HttpServletRequest request)
            throws IOException {
        Conference conference = Validation.replaced(id, body(request));
        if (database.ask(() -> conferences.replace(id, conference.getName())) == 0) {
            throw notFound();
        }
        return ok(conference);
    }

    @DeleteMapping("/conferences/{id}")
    ResponseEntity<Void> remove(@PathVariable String id) {
        if (database.ask(() -> conferences.remove(id)) == 0) {
            throw notFound();
        }
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/healthz")
    ResponseEntity<Map<String, String>> live() {
        return ok(UP);
    }

    @GetMapping("/readyz")
    ResponseEntity<Map<String, String>> ready() {
        database.askReady();
        return ok(UP);
    }

    private List<Conference> read(Page page) {
        return database.ask(
                () ->
                        page == null
                                ? conferences.findAllByOrderById()
                                : conferences.findByIdGreaterThanOrderById(
                                        page.after(), Limit.of(page.rows())));
    }

    private Object body(HttpServletRequest request) throws IOException {
        String text =
                RequestBody.read(
                        request.getInputStream(),
                        request.getContentLengthLong(),
                        request.getContentType());
        try {
            return json.read(text);
        } catch (Json.Malformed e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    private static <T> ResponseEntity<T> ok(T body) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
    }

    private static <T> ResponseEntity<List<T>> ok(
            Page page, String path, List<Conference> read, List<T> shown) {
        String link = page.link(path, read);
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
        return (link == null ? answer : answer.header(HttpHeaders.LINK, link)).body(shown);
    }

    private static Refusal notFound() {
        return new Refusal(Problem.NOT_FOUND);
    }
}
