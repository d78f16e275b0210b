package gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** One caller's connection: routes its requests, one at a time, and passes bodies on as they come. */
final class ClientHandler extends ChannelInboundHandlerAdapter {

    private static final String PATH = "/passthrough";
    private static final String UPSTREAM_PATH = "/service/EchoService";
    /** Parts of requests that wait for a connection or for their turn; more are not read. */
    private static final int MOST_WAITING = 64;

    private final UpstreamPool pool;
    private final String upstreamAuthority;
    private final Exchanges exchanges;

    private ChannelHandlerContext context;
    private HttpRequest request;
    private Channel upstream;
    /** Parts of the current request that came before its connection, or parts of later requests. */
    private final Deque<Object> waiting = new ArrayDeque<>();
    /** The rest of the current request is of no use to anybody. */
    private boolean isDiscarding;
    private boolean isRequestRead;
    private boolean isAnswered;
    private boolean isHeadSent;

    ClientHandler(UpstreamPool pool, String upstreamAuthority, Exchanges exchanges) {
        this.pool = pool;
        this.upstreamAuthority = upstreamAuthority;
        this.exchanges = exchanges;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        boolean isForLater = isRequestRead || (!waiting.isEmpty() && !isDiscarding);
        if (isForLater || (request != null && upstream == null && !isDiscarding)) {
            waiting.add(message);
            ctx.channel().config().setAutoRead(waiting.size() < MOST_WAITING);
        } else {
            take(message);
        }
    }

    private void take(Object message) {
        if (message instanceof HttpRequest head) {
            begin(head);
        }
        if (message instanceof HttpContent part) {
            isRequestRead |= part instanceof LastHttpContent;
            if (isDiscarding) {
                part.release();
            } else {
                upstream.writeAndFlush(part);
                context.channel().config().setAutoRead(upstream.isWritable());
            }
            if (isRequestRead) {
                endIfDone();
            }
        }
    }

    private void begin(HttpRequest head) {
        request = head;
        isRequestRead = false;
        isAnswered = false;
        isHeadSent = false;
        isDiscarding = false;
        exchanges.begin();
        if (head.decoderResult().isFailure()) {
            refuse(HttpResponseStatus.BAD_REQUEST, "not HTTP", true);
        } else if (!pathOf(head.uri()).equals(PATH)) {
            refuse(HttpResponseStatus.NOT_FOUND, "no such path", false);
        } else if (!head.method().equals(HttpMethod.POST)) {
            refuse(HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST", false);
        } else {
            passOn(head);
        }
    }

    private void passOn(HttpRequest head) {
        if (HttpUtil.is100ContinueExpected(head)) {
            context.writeAndFlush(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
        Channel pooled = pool.poll();
        if (pooled != null) {
            attach(pooled);
            return;
        }
        HttpRequest mine = request;
        ChannelFuture connecting = pool.connect(context.channel().eventLoop());
        connecting.addListener(
                done -> {
                    boolean isWanted = request == mine && context.channel().isActive();
                    if (done.isSuccess() && isWanted) {
                        attach(connecting.channel());
                        takeWaiting();
                    } else if (done.isSuccess()) {
                        connecting.channel().close();
                    } else if (isWanted) {
                        upstreamFailed(done.cause());
                    }
                });
    }

    private void attach(Channel channel) {
        upstream = channel;
        boolean keepsAlive = HttpUtil.isKeepAlive(request);
        String query = request.uri().substring(PATH.length());
        HttpRequest onward = request;
        Fields.removeHopByHop(onward.headers());
        onward.headers().remove(HttpHeaderNames.EXPECT);
        onward.headers().set(HttpHeaderNames.HOST, upstreamAuthority);
        onward.setUri(UPSTREAM_PATH + query);
        onward.setProtocolVersion(HttpVersion.HTTP_1_1);
        mustClose |= !keepsAlive;
        channel.pipeline().get(UpstreamHandler.class).serve(this);
        channel.write(onward);
    }

    /** The caller, or the framing of an answer, wants the connection to end after this answer. */
    private boolean mustClose;

    private void takeWaiting() {
        while (!isRequestRead && !waiting.isEmpty()) {
            take(waiting.poll());
        }
        if (upstream == null || upstream.isWritable()) {
            context.channel().config().setAutoRead(waiting.size() < MOST_WAITING);
        }
    }

    /** The head of the answer, its hop-by-hop fields taken out. */
    void answer(HttpResponse head) {
        isHeadSent = true;
        if (mustClose) {
            head.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
        context.write(head);
    }

    /** A part of the answer; the last one ends the exchange. Releases it. */
    void answer(HttpContent part) {
        boolean isLast = part instanceof LastHttpContent;
        context.writeAndFlush(part);
        if (isLast) {
            upstream = null;
            finishAnswer();
        } else {
            upstream.config().setAutoRead(context.channel().isWritable());
        }
    }

    /** The upstream takes more, or less. */
    void upstreamWritable(boolean isWritable) {
        context.channel().config().setAutoRead(isWritable && waiting.size() < MOST_WAITING);
    }

    /** Whether everything that the caller sends has been passed on. */
    boolean isRequestSent() {
        return isRequestRead;
    }

    /** No answer, or no whole one: the caller is told, by the status or by a broken message. */
    void upstreamFailed(Throwable cause) {
        System.err.println("upstream: " + (cause.getMessage() == null ? cause : cause.getMessage()));
        upstream = null;
        if (isHeadSent) {
            context.close();
        } else {
            refuse(HttpResponseStatus.BAD_GATEWAY, "the upstream failed", false);
            takeWaiting();
        }
    }

    private void refuse(HttpResponseStatus status, String text, boolean isLast) {
        isDiscarding = true;
        mustClose |= isLast || !HttpUtil.isKeepAlive(request);
        ByteBuf body = Unpooled.copiedBuffer(text + "\n", StandardCharsets.US_ASCII);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=us-ascii");
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, HttpMethod.POST.name());
        }
        if (mustClose) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
        isHeadSent = true;
        context.writeAndFlush(response);
        finishAnswer();
    }

    private void finishAnswer() {
        isAnswered = true;
        isDiscarding = true;
        exchanges.end();
        if (mustClose) {
            closeWhenWritten();
        } else {
            endIfDone();
        }
    }

    private void closeWhenWritten() {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> context.close());
    }

    /** Turns to the next request once this one is both read and answered. */
    private void endIfDone() {
        if (!isAnswered || !isRequestRead) {
            return;
        }
        request = null;
        isRequestRead = false;
        isDiscarding = false;
        if (exchanges.isStopping()) {
            closeWhenWritten();
        } else if (!waiting.isEmpty()) {
            takeWaiting();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (upstream != null) {
            upstream.config().setAutoRead(ctx.channel().isWritable());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        if (request != null && !isAnswered) {
            exchanges.end();
        }
        request = null;
        if (upstream != null) {
            upstream.pipeline().get(UpstreamHandler.class).abandon();
            upstream = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private static String pathOf(String uri) {
        int end = uri.indexOf('?');
        return end < 0 ? uri : uri.substring(0, end);
    }
}
