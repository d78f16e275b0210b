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
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations on users without a password. */
@Path("/")
@Consumes(MediaType.WILDCARD)
@Produces(MediaType.APPLICATION_JSON)
class UserResource {

    private final UserService service;
    private final Database database;
    private final RequestReader reader;

    UserResource(UserService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GET
    @Path("users")
    public RestResponse<List<User>> list() {
        return Answers.ok(Rows.users(database.ask(session -> session.list(Sql.USERS, Rows::user))));
    }

    @GET
    @Path("users/top-coins")
    public RestResponse<List<RichCustomer>> richest() {
        return Answers.ok(database.ask(session -> session.list(Sql.RICHEST, Rows::richCustomer)));
    }

    @GET
    @Path("users/{id}")
    public RestResponse<User> get(@RestPath long id) {
        return Answers.found(database.ask(session -> UserService.find(session, id)));
    }

    @PUT
    @Path("users/{id}/status")
    public RestResponse<User> setStatus(
            @RestPath long id, InputStream stream, RoutingContext context) throws IOException {
        return Answers.ok(service.setStatus(id, Validation.status(reader.body(stream, context))));
    }

    @GET
    @Path("users/{id}/payment-method")
    public RestResponse<PaymentMethodAnswer> paymentMethod(@RestPath long id) {
        return Answers.found(
                database.ask(session -> session.row(Sql.PAYMENT_METHOD, Rows::paymentMethod, id))
                        .map(PaymentMethodAnswer::new));
    }

    @PUT
    @Path("users/{id}/payment-method")
    public RestResponse<PaymentMethodAnswer> setPaymentMethod(
            @RestPath long id, InputStream stream, RoutingContext context) throws IOException {
        PaymentMethod method = Validation.paymentMethod(reader.body(stream, context));
        int count =
                database.ask(
                        session -> session.change(Sql.SET_PAYMENT_METHOD, method.ordinal(), id));
        if (count == 0) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        return Answers.ok(new PaymentMethodAnswer(method));
    }
}
