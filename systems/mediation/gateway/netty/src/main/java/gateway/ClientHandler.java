package gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One caller's connection: routes its requests, one at a time, and passes bodies on as they come.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {

    private static final String PATH = "/passthrough";
    private static final String UPSTREAM_PATH = "/service/EchoService";

    /** Parts of requests, of at most 8 KiB each; with so many waiting, no more are read. */
    private static final int MOST_WAITING = 64;

    private final UpstreamPool pool;
    private final String upstreamAuthority;
    private final InFlight inFlight;

    /** What came before the upstream's connection did, or before the turn of its request. */
    private final Deque<Object> waiting = new ArrayDeque<>();

    private ChannelHandlerContext context;

    /** The current request; null between two. */
    private HttpRequest request;

    /** What serves the current request; null before it is connected and after the whole answer. */
    private Channel upstream;

    private boolean isRequestRead;
    private boolean isHeadSent;

    /**
     * What comes of the request after its answer is read, since the next one follows, and dropped.
     */
    private boolean isAnswered;

    private boolean mustClose;
    private boolean isClosing;

    ClientHandler(UpstreamPool pool, String upstreamAuthority, InFlight inFlight) {
        this.pool = pool;
        this.upstreamAuthority = upstreamAuthority;
        this.inFlight = inFlight;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (isClosing) {
            ReferenceCountUtil.release(message);
            return;
        }
        waiting.add(message);
        takeWaiting();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (upstream != null) {
            upstream.flush();
        }
    }

    private void takeWaiting() {
        while (!waiting.isEmpty() && canTake()) {
            take(waiting.poll());
        }
        updateReading();
    }

    /** Takes what has waited, outside of a read, which would flush at its end. */
    private void resume() {
        takeWaiting();
        channelReadComplete(context);
    }

    private boolean canTake() {
        return request == null || (!isRequestRead && (isAnswered || upstream != null));
    }

    private void take(Object message) {
        if (message instanceof HttpRequest head) {
            begin(head);
        }
        if (message instanceof HttpContent part) {
            if (isClosing) {
                part.release();
            } else if (part.decoderResult().isFailure()) {
                part.release();
                refuseBroken();
            } else {
                take(part);
            }
        }
    }

    private void take(HttpContent part) {
        isRequestRead = part instanceof LastHttpContent;
        if (isAnswered) {
            part.release();
        } else {
            upstream.write(withoutTrailers(part));
        }
        endIfDone();
    }

    /** Reads from the caller as fast as the upstream takes it. */
    private void updateReading() {
        boolean isTaken = upstream == null || upstream.isWritable();
        context.channel().config().setAutoRead(isTaken && waiting.size() < MOST_WAITING);
    }

    private void begin(HttpRequest head) {
        request = head;
        isRequestRead = false;
        isHeadSent = false;
        isAnswered = false;
        mustClose = isOld(head) || !HttpUtil.isKeepAlive(head);
        inFlight.begin();
        if (head.decoderResult().isFailure() || Headers.isAmbiguous(head)) {
            refuseBroken();
        } else if (!pathOf(head.uri()).equals(PATH)) {
            refuse(HttpResponseStatus.NOT_FOUND, "no such path");
        } else if (!head.method().equals(HttpMethod.POST)) {
            refuse(HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST");
        } else {
            passOn(head);
        }
    }

    private void passOn(HttpRequest head) {
        if (HttpUtil.is100ContinueExpected(head)) {
            context.writeAndFlush(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.CONTINUE,
                            Unpooled.EMPTY_BUFFER));
        }
        Channel pooled = pool.poll();
        if (pooled != null) {
            attach(pooled);
            return;
        }
        ChannelFuture connecting = pool.connect(context.channel().eventLoop());
        connecting.addListener(done -> connected(head, connecting));
    }

    private void connected(HttpRequest head, ChannelFuture connecting) {
        if (request != head) { // the caller is gone
            connecting.channel().close();
        } else if (connecting.isSuccess()) {
            attach(connecting.channel());
            resume();
        } else {
            upstreamFailed(connecting.cause());
        }
    }

    private void attach(Channel channel) {
        upstream = channel;
        var onward =
                new DefaultHttpRequest(
                        HttpVersion.HTTP_1_1,
                        HttpMethod.POST,
                        UPSTREAM_PATH + request.uri().substring(PATH.length()),
                        request.headers());
        Headers.removeHopByHop(onward.headers());
        onward.headers().remove(HttpHeaderNames.EXPECT); // met already
        onward.headers().set(HttpHeaderNames.HOST, upstreamAuthority);
        channel.pipeline().get(UpstreamHandler.class).serve(this);
        channel.write(onward);
    }

    /** The head of the answer, its hop-by-hop fields taken out. */
    void answer(HttpResponse head) {
        isHeadSent = true;
        mustClose |= inFlight.isStopping();
        if (mustClose) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        if (isOld(request)) {
            // Such a caller knows no chunks; for it, the answer ends with the connection.
            head.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        }
        context.write(head);
    }

    /** A part of the answer; the last one ends the exchange. Releases it. */
    void answer(HttpContent part) {
        if (part instanceof LastHttpContent) {
            upstream = null;
            finish(context.writeAndFlush(withoutTrailers(part)));
            resume();
        } else {
            context.write(part);
            upstream.config().setAutoRead(context.channel().isWritable());
        }
    }

    /** The parts of the answer that there are for now have been given. */
    void flush() {
        context.flush();
    }

    /** The upstream takes more, or less. */
    void upstreamWritabilityChanged() {
        updateReading();
    }

    /** Whether everything that the caller sends has been passed on. */
    boolean isRequestSent() {
        return isRequestRead;
    }

    /** No answer, or no whole one: the caller is told, by the status or by a broken message. */
    void upstreamFailed(Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        System.err.println("gateway: upstream failed: " + reason);
        upstream = null;
        if (isHeadSent) {
            context.close();
        } else {
            refuse(HttpResponseStatus.BAD_GATEWAY, "the upstream failed");
            resume();
        }
    }

    /** What comes after a request without a clear end cannot be told from its body. */
    private void refuseBroken() {
        isRequestRead = true;
        mustClose = true;
        leaveUpstream();
        if (!isHeadSent) {
            refuse(HttpResponseStatus.BAD_REQUEST, "not HTTP");
        } else if (isAnswered) {
            endIfDone();
        } else {
            context.close();
        }
    }

    private void refuse(HttpResponseStatus status, String text) {
        isHeadSent = true;
        finish(context.writeAndFlush(Refusal.of(status, text, mustClose)));
    }

    private void finish(ChannelFuture written) {
        isAnswered = true;
        written.addListener(done -> inFlight.end());
        endIfDone();
    }

    /** Turns to the next request once this one is both read and answered. */
    private void endIfDone() {
        if (!isAnswered || !isRequestRead) {
            return;
        }
        request = null;
        if (mustClose || inFlight.isStopping()) {
            isClosing = true;
            releaseWaiting();
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void leaveUpstream() {
        if (upstream != null) {
            upstream.pipeline().get(UpstreamHandler.class).abandon();
            upstream = null;
        }
    }

    private void releaseWaiting() {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (upstream != null) {
            upstream.config().setAutoRead(ctx.channel().isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && request == null) {
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isClosing = true;
        releaseWaiting();
        if (request != null && !isAnswered) {
            inFlight.end();
        }
        request = null;
        leaveUpstream();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private static boolean isOld(HttpRequest head) {
        return head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    private static String pathOf(String uri) {
        int end = uri.indexOf('?');
        return end < 0 ? uri : uri.substring(0, end);
    }

    /** Trailers are announced hop by hop, by `TE` and `Trailer`, which end here. */
    private static HttpContent withoutTrailers(HttpContent part) {
        if (part instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
            last.trailingHeaders().clear();
        }
        return part;
    }
}
