package loadstone.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import reactor.netty.ConnectionObserver;
import reactor.netty.NettyPipeline;

/**
 * HTTP/1.1 of callers. Netty's own codec, in whose place it is, would believe the one of two
 * framings, and serve a request without a host.
 */
final class StrictHttp1
        extends CombinedChannelDuplexHandler<StrictHttp1.Decoder, StrictHttp1.Encoder> {

    /** Above what the gateway itself refuses as too large, which it does with a problem. */
    private static final int MOST_HEAD_BYTES = 64 << 10;

    private static final int MOST_LINE_BYTES = 1 << 20;

    private StrictHttp1() {
        var methods = new ArrayDeque<HttpMethod>();
        init(new Decoder(methods), new Encoder(methods));
    }

    /** Puts it into a new connection, over TLS as soon as the version is agreed upon. */
    static void install(ConnectionObserver observer, Channel channel, SocketAddress address) {
        ChannelPipeline pipeline = channel.pipeline();
        if (pipeline.get(NettyPipeline.H2OrHttp11Codec) == null) {
            replace(pipeline);
        } else {
            pipeline.addBefore(NettyPipeline.H2OrHttp11Codec, null, new Agreement());
        }
    }

    private static void replace(ChannelPipeline pipeline) {
        if (pipeline.get(NettyPipeline.HttpCodec) instanceof HttpServerCodec codec) {
            pipeline.replace(codec, NettyPipeline.HttpCodec, new StrictHttp1());
        }
    }

    /** Waits for the handler behind it to choose the codec. */
    private static final class Agreement extends ChannelInboundHandlerAdapter {

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            context.fireUserEventTriggered(event);
            if (event instanceof SslHandshakeCompletionEvent && !context.isRemoved()) {
                replace(context.pipeline());
                context.pipeline().remove(this);
            }
        }
    }

    /** Reads requests. */
    static final class Decoder extends HttpRequestDecoder {

        private final Queue<HttpMethod> methods;
        private boolean isBroken;

        private Decoder(Queue<HttpMethod> methods) {
            super(
                    new HttpDecoderConfig()
                            .setMaxInitialLineLength(MOST_LINE_BYTES)
                            .setMaxHeaderSize(MOST_HEAD_BYTES));
            this.methods = methods;
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("a length beside chunks");
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> messages)
                throws Exception {
            if (isBroken) {
                bytes.skipBytes(bytes.readableBytes());
                return;
            }
            int first = messages.size();
            super.decode(context, bytes, messages);
            for (int at = first; at < messages.size(); at++) {
                if (messages.get(at) instanceof HttpRequest request) {
                    methods.add(request.method());
                    if (request.decoderResult().isSuccess() && !hasHost(request)) {
                        breakOff(request, at + 1, messages);
                    }
                }
            }
        }

        private static boolean hasHost(HttpRequest request) {
            int count = request.headers().getAll(HttpHeaderNames.HOST).size();
            return count == 1
                    || (count == 0 && HttpVersion.HTTP_1_0.equals(request.protocolVersion()));
        }

        /** What is behind a message that is none is not read. */
        private void breakOff(HttpRequest request, int count, List<Object> messages) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("host")));
            while (messages.size() > count) {
                messages.remove(messages.size() - 1);
            }
            isBroken = true;
        }
    }

    /** Writes answers, of which those to HEAD have no body. */
    static final class Encoder extends HttpResponseEncoder {

        private final Queue<HttpMethod> methods;

        private Encoder(Queue<HttpMethod> methods) {
            this.methods = methods;
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpResponse answer) {
            // One more answer is behind an answer of 1xx.
            boolean isLast = answer.status().codeClass() != HttpStatusClass.INFORMATIONAL;
            HttpMethod method = isLast ? methods.poll() : methods.peek();
            return HttpMethod.HEAD.equals(method) || super.isContentAlwaysEmpty(answer);
        }
    }
}
