package loadstone.conference;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/** What callers are told where Tomcat refuses a request before any of the service's code has it. */
public class ProblemValve extends ErrorReportValve {

    private static final int FIRST_ERROR = 400;
    private static final int NOT_FOUND = 404;

    @Override
    protected void report(Request request, Response response, Throwable failure) {
        if (response.getStatus() < FIRST_ERROR
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        Problem problem = response.getStatus() == NOT_FOUND ? Problem.NOT_FOUND : Problem.MALFORMED;
        try {
            Problems.write(response, problem, null, List.of());
            response.finishResponse();
        } catch (IOException e) {
            // The caller went away.
        }
    }
}
