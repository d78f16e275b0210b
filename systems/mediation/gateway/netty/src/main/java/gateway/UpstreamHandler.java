package gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** One connection to the upstream, or a stream of one: serves an exchange, or rests in the pool. */
final class UpstreamHandler extends ChannelInboundHandlerAdapter {

    private final Upstream upstream;
    private ChannelHandlerContext context;
    private boolean isStream;

    /** Null while the connection rests, and once it is of no more use. */
    private Exchange exchange;

    /** A status of 1xx has been read: what follows until its end is no part of the answer. */
    private boolean isInterim;

    private boolean hasAnswer;

    /** The end of the answer is seen without the connection's, which stays open. */
    private boolean canRest;

    UpstreamHandler(Upstream upstream) {
        this.upstream = upstream;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        isStream = ctx.channel() instanceof Http2StreamChannel;
    }

    void serve(Exchange served) {
        exchange = served;
        hasAnswer = false;
    }

    /** The last part of the request has been written: from now on its answer is waited for. */
    void requestSent() {
        if (exchange != null && !hasAnswer) {
            upstream.await(this, context.channel().eventLoop());
        }
    }

    void answerIsLate() {
        fail(new IOException("no answer in time"));
    }

    /** The caller is gone, and with it the exchange. */
    void abandon() {
        settle();
        exchange = null;
        context.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (exchange == null) {
            ReferenceCountUtil.release(message);
            ctx.close(); // whatever it says, nobody asked
            return;
        }
        if (message instanceof HttpResponse head) {
            isInterim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (head.decoderResult().isFailure()) {
                ReferenceCountUtil.release(message);
                fail(head.decoderResult().cause());
                return;
            }
            if (Headers.isAmbiguous(head)) {
                ReferenceCountUtil.release(message);
                fail(new IOException("the end of the answer is not clear"));
                return;
            }
            if (!isInterim) {
                pass(head);
            }
        }
        if (message instanceof FullHttpResponse whole) {
            // Its stream ended with its head; its body is empty.
            whole.release();
            if (!isInterim) {
                pass(LastHttpContent.EMPTY_LAST_CONTENT);
            }
        } else if (message instanceof HttpContent part) {
            if (part.decoderResult().isFailure()) {
                part.release();
                fail(part.decoderResult().cause());
            } else if (isInterim) {
                part.release();
            } else {
                pass(part);
            }
        }
    }

    private void settle() {
        if (!hasAnswer) {
            upstream.settle(this, context.channel().eventLoop());
        }
    }

    private void pass(HttpResponse head) {
        settle();
        hasAnswer = true;
        boolean isFramed =
                HttpUtil.isContentLengthSet(head)
                        || HttpUtil.isTransferEncodingChunked(head)
                        || head.status().equals(HttpResponseStatus.NO_CONTENT)
                        || head.status().equals(HttpResponseStatus.NOT_MODIFIED);
        canRest = isFramed && !isStream && HttpUtil.isKeepAlive(head);
        Headers.removeHopByHop(head.headers());
        if (isStream) {
            Headers.removeExtensions(head.headers());
        }
        var answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, head.status(), head.headers());
        if (!isFramed) {
            // It ends with the upstream's connection or stream, which the caller cannot see.
            answer.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        exchange.answer(answer);
    }

    private void pass(HttpContent part) {
        Exchange served = exchange;
        if (part instanceof LastHttpContent) {
            exchange = null;
            if (canRest && served.isRequestSent()) {
                context.channel().config().setAutoRead(true);
                upstream.giveBack(context.channel());
            } else {
                context.close();
            }
        }
        served.answer(part);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.flushAnswer();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (exchange != null) {
            exchange.upstreamWritabilityChanged();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2ResetFrame reset) {
            // One without an error follows a whole answer, of which parts may still be unread.
            if (exchange != null && reset.errorCode() != Http2Error.NO_ERROR.code()) {
                fail(new IOException("the stream was reset"));
            }
        } else if (event instanceof IdleStateEvent && exchange == null) {
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (exchange == null) {
            upstream.forget(ctx.channel());
        } else {
            fail(new IOException(hasAnswer ? "the answer broke off" : "closed without an answer"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (exchange == null) {
            ctx.close();
        } else {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        settle();
        Exchange served = exchange;
        exchange = null;
        context.close();
        served.upstreamFailed(cause);
    }
}
