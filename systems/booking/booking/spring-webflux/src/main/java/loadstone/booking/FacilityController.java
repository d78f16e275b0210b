package loadstone.booking;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on facilities, their slots and their ratings. */
@RestController
class FacilityController {

    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    FacilityController(ClubService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/facilities")
    Mono<ResponseEntity<Listing<Facility>>> list(ServerHttpRequest request) {
        Query query = RequestReader.query(request);
        Page page = Page.ascending(query);
        Selection selection = Selection.facilities(FacilityFilter.of(query), page);
        return database.ask(session -> session.list(selection, Rows::facility))
                .map(read -> Answers.ok(page.listing(read, Facility::id)));
    }

    @GetMapping("/facilities/{id}")
    Mono<ResponseEntity<Facility>> get(@PathVariable long id) {
        return find(id).map(Answers::ok);
    }

    @PutMapping("/facilities/{id}")
    Mono<ResponseEntity<Facility>> replace(
            @PathVariable long id,
            ServerHttpRequest request,
            @AuthenticationPrincipal Caller owner) {
        return reader.body(request, Validation::facility)
                .flatMap(body -> service.replaceFacility(id, body, owner))
                .map(Answers::ok);
    }

    @DeleteMapping("/facilities/{id}")
    Mono<ResponseEntity<Void>> retire(
            @PathVariable long id, @AuthenticationPrincipal Caller owner) {
        return service.retireFacility(id, owner).map(count -> ResponseEntity.noContent().build());
    }

    @GetMapping("/facilities/{id}/slots")
    Mono<ResponseEntity<DayOfSlots>> listSlots(@PathVariable long id, ServerHttpRequest request) {
        LocalDate day = Query.required(RequestReader.query(request).day("date"));
        return find(id).flatMap(
                        facility -> taken(id, day).map(spans -> Grid.show(facility, day, spans)))
                .map(Answers::ok);
    }

    private Mono<List<Span>> taken(long id, LocalDate day) {
        List<Object> values =
                List.of(
                        id,
                        Instants.start(day).atOffset(ZoneOffset.UTC),
                        Instants.start(day.plusDays(1)).atOffset(ZoneOffset.UTC));
        return database.ask(session -> session.list(Sql.TAKEN, Rows::span, values));
    }

    @GetMapping("/facilities/{id}/ratings")
    Mono<ResponseEntity<RatingListing>> listRatings(
            @PathVariable long id, ServerHttpRequest request) {
        Page page = Page.ascending(RequestReader.query(request));
        List<Object> values = List.of(id, page.after(), page.rows());
        return database.ask(session -> session.row(Sql.HAS_FACILITY, row -> true, id))
                .switchIfEmpty(Ownership.notFound())
                .then(database.ask(session -> session.list(Sql.RATINGS, Rows::rating, values)))
                .map(read -> page.listing(read, Rating::reservationId))
                .flatMap(listing -> summary(id).map(summary -> RatingListing.of(listing, summary)))
                .map(Answers::ok);
    }

    private Mono<RatingSummary> summary(long id) {
        return database.ask(session -> session.row(Sql.RATING_SUMMARY, Rows::ratingSummary, id));
    }

    private Mono<Facility> find(long id) {
        return database.ask(session -> session.row(Sql.FACILITY, Rows::facility, id))
                .switchIfEmpty(Ownership.notFound());
    }
}
