package loadstone.conference;

import io.quarkus.rest.client.reactive.Url;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.jboss.resteasy.reactive.RestResponse;

/** The service country, as Quarkus's REST client has it. Paths come with their escapes. */
@RegisterRestClient(configKey = "country")
interface CountryApi {

    @GET
    Uni<RestResponse<byte[]>> get(@Url URI target);

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    Uni<RestResponse<byte[]>> post(@Url URI target, byte[] body);
}
