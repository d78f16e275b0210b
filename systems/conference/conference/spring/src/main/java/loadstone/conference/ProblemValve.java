package loadstone.conference;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/** What callers are told where Tomcat refuses a request by itself, such as for a path or a body. */
public class ProblemValve extends ErrorReportValve {

    private static final int FIRST_ERROR = 400;

    @Override
    protected void report(Request request, Response response, Throwable failure) {
        if (response.getStatus() < FIRST_ERROR
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        try {
            if (!RouteFilter.isRefused(request, response)) {
                Problems.write(response, Problem.MALFORMED, null, List.of());
            }
            response.finishResponse();
        } catch (IOException e) {
            // The caller went away.
        }
    }
}
