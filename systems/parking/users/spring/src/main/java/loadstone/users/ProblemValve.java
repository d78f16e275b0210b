package loadstone.users;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/** What callers are told where Tomcat refuses a request by itself, such as for a path or a body. */
public class ProblemValve extends ErrorReportValve {

    private static final int FIRST_ERROR = 400;
    private static final int FIRST_FAILURE = 500;

    @Override
    protected void report(Request request, Response response, Throwable failure) {
        if (response.getStatus() < FIRST_ERROR
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        try {
            OwnFields.set(request, response);
            if (request.getRequestURI() == null || !RouteFilter.isRefused(request, response)) {
                Problem problem =
                        response.getStatus() < FIRST_FAILURE ? Problem.MALFORMED : Problem.INTERNAL;
                Problems.write(response, problem, List.of());
            }
            response.finishResponse();
        } catch (IOException e) {
            // The caller went away.
        }
    }
}
