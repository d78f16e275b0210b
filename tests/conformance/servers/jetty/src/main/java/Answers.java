import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/** What the conformance tests ask for. */
final class Answers extends Handler.Abstract {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String[] path = Request.getPathInContext(request).split("/");
        switch (path[1]) {
            case "bytes" -> answer(request, response, bodyOf(Integer.parseInt(path[2])), callback);
            case "chunked" -> {
                byte[] body = bodyOf(Integer.parseInt(path[2]));
                // What is flushed before the end is known has no length.
                try (Blocker.Callback flushed = Blocker.callback()) {
                    response.write(false, ByteBuffer.allocate(0), flushed);
                    flushed.block();
                }
                response.write(true, ByteBuffer.wrap(body), callback);
            }
            case "echo" -> answer(request, response, received(request), callback);
            default -> {
                response.setStatus(Integer.parseInt(path[2]));
                callback.succeeded();
            }
        }
        return true;
    }

    private static byte[] received(Request request) throws Exception {
        ByteBuffer content = Content.Source.asByteBuffer(request);
        byte[] body = new byte[content.remaining()];
        content.get(body);
        return body;
    }

    private static void answer(
            Request request, Response response, byte[] body, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean isHead = request.getMethod().equals("HEAD");
        response.write(true, isHead ? null : ByteBuffer.wrap(body), callback);
    }

    /** The end of a body names its length, so that a wrong or cut one cannot pass for right. */
    private static byte[] bodyOf(int length) {
        if (length == 0) {
            return new byte[0];
        }
        String marker = "|end of " + length + " bytes|";
        String letters = LETTERS.repeat(length / LETTERS.length() + 1);
        String body = letters.substring(0, length - marker.length()) + marker;
        return body.getBytes(StandardCharsets.US_ASCII);
    }
}
