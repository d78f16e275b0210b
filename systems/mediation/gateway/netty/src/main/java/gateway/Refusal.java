package gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** An answer of the gateway's own: a line of plain text. */
final class Refusal {

    private Refusal() {}

    static FullHttpResponse of(
            HttpResponseStatus status, String text, boolean isHead, boolean closes) {
        ByteBuf body = Unpooled.copiedBuffer(text + "\n", StandardCharsets.US_ASCII);
        int length = body.readableBytes();
        if (isHead) {
            body.clear();
        }
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=us-ascii");
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, HttpMethod.POST);
        }
        if (closes) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        return response;
    }
}
