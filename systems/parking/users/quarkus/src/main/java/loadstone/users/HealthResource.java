package loadstone.users;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.jboss.resteasy.reactive.RestResponse;

/** The operation that tells how the service is. */
@Path("/health")
@Produces(MediaType.APPLICATION_JSON)
class HealthResource {

    private static final Map<String, String> UP = Map.of("status", "up");

    private final Database database;

    HealthResource(Database database) {
        this.database = database;
    }

    @GET
    public RestResponse<Map<String, String>> get() {
        database.askReady();
        return Answers.ok(UP);
    }
}
