package loadstone.booking;

import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on clubs. */
@RestController
class ClubController {

    private final ClubService service;
    private final Database database;
    private final RequestReader reader;

    ClubController(ClubService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/clubs")
    Mono<ResponseEntity<Listing<Club>>> list(
            ServerHttpRequest request, @AuthenticationPrincipal Caller caller) {
        Query query = RequestReader.query(request);
        Page page = Page.ascending(query);
        Selection selection = Selection.clubs(ClubFilter.of(query, caller), page);
        return database.ask(session -> session.list(selection, Rows::club))
                .map(read -> Answers.ok(page.listing(read, Club::id)));
    }

    @PostMapping("/clubs")
    Mono<ResponseEntity<Club>> create(
            ServerHttpRequest request, @AuthenticationPrincipal Caller owner) {
        return reader.body(request, Validation::club)
                .flatMap(body -> insert(body, owner))
                .map(club -> Answers.created("/clubs/" + club.id(), club));
    }

    private Mono<Club> insert(ClubBody body, Caller owner) {
        return database.ask(
                session ->
                        session.row(
                                Sql.INSERT_CLUB,
                                Rows::club,
                                owner.id(),
                                body.name(),
                                body.city(),
                                body.description()));
    }

    @GetMapping("/clubs/{id}")
    Mono<ResponseEntity<Club>> get(@PathVariable long id) {
        return database.ask(session -> session.row(Sql.CLUB, Rows::club, id))
                .switchIfEmpty(Ownership.notFound())
                .map(Answers::ok);
    }

    @PutMapping("/clubs/{id}")
    Mono<ResponseEntity<Club>> replace(
            @PathVariable long id,
            ServerHttpRequest request,
            @AuthenticationPrincipal Caller owner) {
        return reader.body(request, Validation::club)
                .flatMap(body -> service.replace(id, body, owner))
                .map(Answers::ok);
    }

    @PostMapping("/clubs/{id}/facilities")
    Mono<ResponseEntity<Facility>> addFacility(
            @PathVariable long id,
            ServerHttpRequest request,
            @AuthenticationPrincipal Caller owner) {
        return reader.body(request, Validation::facility)
                .flatMap(body -> service.addFacility(id, body, owner))
                .map(facility -> Answers.created("/facilities/" + facility.id(), facility));
    }
}
