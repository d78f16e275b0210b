package loadstone.users;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * What is between Netty and Spring on each connection of a caller. Targets are escaped that Spring
 * would not read as URIs, since the path decides first; and what Reactor Netty refuses by itself,
 * such as a chunk that is none, is told by a problem.
 */
final class Refinement extends ChannelDuplexHandler {

    private static final int FIRST_ERROR = 400;
    private static final int FIRST_FAILURE = 500;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            request.setUri(TargetEscapes.escape(request.uri()));
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
            throws Exception {
        if (message instanceof FullHttpResponse response && isUntold(response)) {
            Problem problem =
                    response.status().code() < FIRST_FAILURE ? Problem.MALFORMED : Problem.INTERNAL;
            response.release();
            context.write(answer(problem, context), promise);
        } else {
            context.write(message, promise);
        }
    }

    private static boolean isUntold(FullHttpResponse response) {
        return response.status().code() >= FIRST_ERROR
                && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE);
    }

    private static FullHttpResponse answer(Problem problem, ChannelHandlerContext context) {
        byte[] body = problem.json(List.of());
        var response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(problem.status()),
                        Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, OwnFields.NOT_STORED)
                .set(OwnFields.INSTANCE_ID, OwnFields.instanceId(context.channel().localAddress()))
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }
}
