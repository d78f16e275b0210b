package loadstone.booking;

import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.jboss.resteasy.reactive.RestResponse;

/** Whether the service lives, and its database. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
class HealthResource {

    private static final Map<String, String> OK = Map.of("status", "ok");

    private final Database database;

    HealthResource(Database database) {
        this.database = database;
    }

    @GET
    @Path("healthz")
    @NonBlocking
    public RestResponse<Map<String, String>> live() {
        return Answers.ok(OK);
    }

    @GET
    @Path("readyz")
    public Uni<RestResponse<Map<String, String>>> ready() {
        return database.askReady().map(nothing -> Answers.ok(OK));
    }
}
