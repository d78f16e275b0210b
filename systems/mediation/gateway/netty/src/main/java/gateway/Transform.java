package gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * The scenario JSON to XML: the whole body is read and converted, on the event loop, since a body
 * of the limit takes but milliseconds; then a new request carries the document.
 */
final class Transform extends Exchange {

    private static final int MAXIMUM_BODY_BYTES = 1 << 20;

    private final HttpRequest request;
    private final String authority;
    private final ByteBuf body;
    private byte[] document;

    Transform(HttpRequest request, ClientHandler caller, Upstream upstream) {
        super(caller, upstream);
        this.request = request;
        this.authority = upstream.authority();
        this.body = caller.allocator().buffer();
    }

    @Override
    void begin() {
        if (HttpUtil.getContentLength(request, 0L) > MAXIMUM_BODY_BYTES) {
            refuseTooLarge();
        } else {
            caller.goOnIfExpected(request);
        }
    }

    private void refuseTooLarge() {
        caller.refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "more than 1 MiB");
    }

    @Override
    boolean canTake() {
        return true;
    }

    @Override
    void take(HttpContent part) {
        boolean isLast = part instanceof LastHttpContent;
        boolean isTooLarge =
                body.readableBytes() + part.content().readableBytes() > MAXIMUM_BODY_BYTES;
        if (!isTooLarge) {
            body.writeBytes(part.content());
        }
        part.release();
        if (isTooLarge) {
            refuseTooLarge();
        } else if (isLast) {
            convert();
        }
    }

    private void convert() {
        try {
            document = Conversion.convert(body.nioBuffer());
        } catch (Conversion.Refused e) {
            caller.refuse(HttpResponseStatus.BAD_REQUEST, e.getMessage());
            return;
        }
        connect();
    }

    @Override
    protected HttpRequest onward() {
        var onward =
                new DefaultHttpRequest(
                        HttpVersion.HTTP_1_1, HttpMethod.POST, Gateway.UPSTREAM_PATH);
        onward.headers()
                .set(HttpHeaderNames.HOST, authority)
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_XML)
                .set(HttpHeaderNames.CONTENT_LENGTH, document.length);
        return onward;
    }

    @Override
    protected void connected() {
        write(new DefaultLastHttpContent(Unpooled.wrappedBuffer(document)));
        release();
    }

    @Override
    protected void release() {
        document = null;
        if (body.refCnt() > 0) {
            body.release();
        }
    }
}
