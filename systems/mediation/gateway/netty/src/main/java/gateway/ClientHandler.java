package gateway;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
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
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One caller: its connection of HTTP/1.1 with one request at a time, or one stream of HTTP/2 with
 * one request in all.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {

    /** Parts of requests, of at most 16 KiB each; with so many waiting, no more are read. */
    private static final int MOST_WAITING = 64;

    private final Gateway gateway;
    private final InFlight inFlight;

    /** What came before the upstream's connection did, or before the turn of its request. */
    private final Deque<Object> waiting = new ArrayDeque<>();

    private ChannelHandlerContext context;
    private boolean isStream;

    /** The current request; null between two. */
    private HttpRequest request;

    /** What serves the current request; null after the whole answer. */
    private Exchange exchange;

    private boolean isRequestRead;
    private boolean isHeadSent;

    /**
     * What comes of the request after its answer is read, since the next one follows, and dropped.
     */
    private boolean isAnswered;

    private boolean mustClose;
    private boolean isClosing;

    ClientHandler(Gateway gateway, InFlight inFlight) {
        this.gateway = gateway;
        this.inFlight = inFlight;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        isStream = ctx.channel() instanceof Http2StreamChannel;
    }

    EventLoop eventLoop() {
        return context.channel().eventLoop();
    }

    ByteBufAllocator allocator() {
        return context.alloc();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (isClosing) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof FullHttpRequest whole) {
            waiting.add(headOf(whole));
            waiting.add(LastHttpContent.EMPTY_LAST_CONTENT);
            whole.release();
        } else {
            waiting.add(message);
        }
        takeWaiting();
    }

    /** A request whose stream ended with its head is one message; its body is empty. */
    private static HttpRequest headOf(FullHttpRequest whole) {
        return new DefaultHttpRequest(
                whole.protocolVersion(), whole.method(), whole.uri(), whole.headers());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.flush();
        }
    }

    private void takeWaiting() {
        while (!waiting.isEmpty() && canTake()) {
            take(waiting.poll());
        }
        updateReading();
    }

    /** Takes what has waited, outside of a read, which would flush at its end. */
    void resume() {
        takeWaiting();
        channelReadComplete(context);
    }

    private boolean canTake() {
        if (request == null) {
            return true;
        }
        return !isRequestRead && (isAnswered || (exchange != null && exchange.canTake()));
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
            exchange.take(part);
        }
        endIfDone();
    }

    /** Reads from the caller as fast as the upstream takes it. */
    void updateReading() {
        boolean isTaken = exchange == null || exchange.isWritable();
        context.channel().config().setAutoRead(isTaken && waiting.size() < MOST_WAITING);
    }

    private void begin(HttpRequest head) {
        request = head;
        isRequestRead = false;
        isHeadSent = false;
        isAnswered = false;
        mustClose = !isStream && (isOld(head) || !HttpUtil.isKeepAlive(head));
        inFlight.begin();
        if (head.decoderResult().isFailure() || Headers.isAmbiguous(head)) {
            refuseBroken();
            return;
        }
        if (isStream) {
            Headers.removeExtensions(head.headers());
        }
        gateway.serve(head, this);
    }

    void begin(Exchange started) {
        exchange = started;
        started.begin();
    }

    /** Tells a caller that waits for it to send its body. */
    void goOnIfExpected(HttpRequest head) {
        if (HttpUtil.is100ContinueExpected(head)) {
            context.writeAndFlush(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.CONTINUE,
                            Unpooled.EMPTY_BUFFER));
        }
    }

    /** The head of the answer, its hop-by-hop fields taken out. */
    void answer(HttpResponse head) {
        isHeadSent = true;
        mustClose |= !isStream && inFlight.isStopping();
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
        if (part instanceof LastHttpContent last) {
            exchange = null;
            if (!last.trailingHeaders().isEmpty()) {
                last.trailingHeaders().clear(); // hop by hop, as those of a request are
            }
            finish(context.writeAndFlush(last));
            resume();
        } else {
            context.write(part);
            exchange.callerWritabilityChanged(context.channel().isWritable());
        }
    }

    /** The parts of the answer that there are for now have been given. */
    void flush() {
        context.flush();
    }

    boolean isRequestRead() {
        return isRequestRead;
    }

    /** No answer, or no whole one: the caller is told, by the status or by a broken message. */
    void upstreamFailed(Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        System.err.println("gateway: upstream failed: " + reason);
        exchange = null;
        if (isHeadSent) {
            breakOff();
        } else {
            refuse(HttpResponseStatus.BAD_GATEWAY, "the upstream failed");
            resume();
        }
    }

    /** What comes after a request without a clear end cannot be told from its body. */
    private void refuseBroken() {
        isRequestRead = true;
        mustClose = true;
        endExchange();
        if (!isHeadSent) {
            refuse(HttpResponseStatus.BAD_REQUEST, "not HTTP");
        } else if (isAnswered) {
            endIfDone();
        } else {
            breakOff();
        }
    }

    private void breakOff() {
        isClosing = true;
        releaseWaiting();
        context.close();
    }

    /** Gives the gateway's own answer. */
    void refuse(HttpResponseStatus status, String text) {
        isHeadSent = true;
        endExchange();
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        finish(context.writeAndFlush(Refusal.of(status, text, isHead, mustClose)));
    }

    private void finish(ChannelFuture written) {
        isAnswered = true;
        written.addListener(done -> inFlight.end());
        endIfDone();
    }

    /** Turns to the next request once this one is both read and answered. */
    private void endIfDone() {
        if (request == null || !isAnswered || !isRequestRead) {
            return;
        }
        request = null;
        if (!isStream && (mustClose || inFlight.isStopping())) {
            isClosing = true;
            releaseWaiting();
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void endExchange() {
        if (exchange != null) {
            Exchange left = exchange;
            exchange = null;
            left.end();
        }
    }

    private void releaseWaiting() {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.callerWritabilityChanged(ctx.channel().isWritable());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        boolean isOfNoUse = event instanceof IdleStateEvent || event == InFlight.STOP;
        if (event instanceof Http2ResetFrame || (isOfNoUse && request == null)) {
            ctx.close();
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isClosing = true;
        releaseWaiting();
        if (request != null && !isAnswered) {
            inFlight.end();
        }
        request = null;
        endExchange();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private static boolean isOld(HttpRequest head) {
        return head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }
}
