package loadstone.users;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on vehicles. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class VehicleResource {

    private final VehicleService service;
    private final Database database;
    private final RequestReader reader;

    VehicleResource(VehicleService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GET
    @Path("users/{id}/vehicles")
    public RestResponse<List<Vehicle>> list(@RestPath long id) {
        List<Vehicle> rows = database.ask(session -> session.list(Sql.VEHICLES, Rows::vehicle, id));
        if (rows.isEmpty()) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        return Answers.ok(rows.stream().filter(Objects::nonNull).toList());
    }

    @PUT
    @Path("users/{id}/vehicles/{plate}")
    public RestResponse<Vehicle> put(
            @RestPath long id, @RestPath String plate, InputStream stream, RoutingContext context)
            throws IOException {
        VehicleKind kind = Validation.vehicleKind(reader.body(stream, context));
        var vehicle = new Vehicle(plate, kind.type(), kind.energySource());
        boolean isNew = service.put(id, vehicle);
        return Answers.of(isNew ? RestResponse.Status.CREATED : RestResponse.Status.OK, vehicle);
    }
}
