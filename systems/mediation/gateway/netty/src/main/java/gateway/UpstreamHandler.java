package gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** One connection to the upstream: serves a caller, or rests in the pool. */
final class UpstreamHandler extends ChannelInboundHandlerAdapter {

    private final UpstreamPool pool;
    private ChannelHandlerContext context;

    /** Null while the connection rests, and once it is of no more use. */
    private ClientHandler client;

    /** A status of 1xx has been read: what follows until its end is no part of the answer. */
    private boolean isInterim;

    private boolean hasAnswer;

    /** The end of the answer is seen without the connection's, which stays open. */
    private boolean canRest;

    UpstreamHandler(UpstreamPool pool) {
        this.pool = pool;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    void serve(ClientHandler caller) {
        client = caller;
        hasAnswer = false;
    }

    /** The caller is gone, and with it the exchange. */
    void abandon() {
        client = null;
        context.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (client == null) {
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
        if (message instanceof HttpContent part) {
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

    private void pass(HttpResponse head) {
        hasAnswer = true;
        boolean isFramed =
                HttpUtil.isContentLengthSet(head)
                        || HttpUtil.isTransferEncodingChunked(head)
                        || head.status().equals(HttpResponseStatus.NO_CONTENT)
                        || head.status().equals(HttpResponseStatus.NOT_MODIFIED);
        canRest = isFramed && HttpUtil.isKeepAlive(head);
        Headers.removeHopByHop(head.headers());
        head.setProtocolVersion(HttpVersion.HTTP_1_1);
        if (!isFramed) {
            // It ends with the upstream's connection, which the caller cannot see.
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        client.answer(head);
    }

    private void pass(HttpContent part) {
        ClientHandler caller = client;
        if (part instanceof LastHttpContent) {
            client = null;
            if (canRest && caller.isRequestSent()) {
                context.channel().config().setAutoRead(true);
                pool.giveBack(context.channel());
            } else {
                context.close();
            }
        }
        caller.answer(part);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (client != null) {
            client.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (client != null) {
            client.upstreamWritabilityChanged();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent) {
            if (client == null) {
                ctx.close();
            } else if (client.isRequestSent() && !hasAnswer) {
                fail(new IOException("no answer in time"));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (client == null) {
            pool.forget(ctx.channel());
        } else {
            fail(new IOException(hasAnswer ? "the answer broke off" : "closed without an answer"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (client == null) {
            ctx.close();
        } else {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        ClientHandler caller = client;
        client = null;
        context.close();
        caller.upstreamFailed(cause);
    }
}
