package gateway;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;

/**
 * One request of a caller and the one that it causes at the upstream. A scenario says what becomes
 * of the request; the answer goes back as it comes.
 */
abstract class Exchange {

    protected final ClientHandler caller;
    private final Upstream upstream;

    /** What serves the request; null before it is connected, and after the exchange. */
    private Channel channel;

    private UpstreamHandler handler;

    private boolean isOver;

    protected Exchange(ClientHandler caller, Upstream upstream) {
        this.caller = caller;
        this.upstream = upstream;
    }

    /** Begins with the head of the request alone. */
    abstract void begin();

    /** Whether a part of the request's body can be taken now. */
    abstract boolean canTake();

    /** Takes the next part of the request's body, and releases it. */
    abstract void take(HttpContent part);

    /** The head of the request to the upstream, for which there is a connection now. */
    protected abstract HttpRequest onward();

    /** There is a connection, and the head has been written to it. */
    protected void connected() {}

    protected final void connect() {
        Future<Channel> connecting = upstream.connect(caller.eventLoop());
        if (connecting.isDone()) {
            connected(connecting);
            return;
        }
        connecting.addListener(
                done -> {
                    connected(connecting);
                    caller.resume();
                });
    }

    private void connected(Future<Channel> connecting) {
        if (isOver) { // the caller is gone
            if (connecting.isSuccess()) {
                upstream.giveBack(connecting.getNow());
            }
        } else if (connecting.isSuccess()) {
            channel = connecting.getNow();
            handler = channel.pipeline().get(UpstreamHandler.class);
            handler.serve(this);
            channel.write(onward());
            connected();
        } else {
            upstreamFailed(connecting.cause());
        }
    }

    protected final boolean isConnected() {
        return channel != null;
    }

    protected final void write(HttpContent part) {
        if (channel == null) {
            part.release(); // the head could not be written
        } else {
            channel.write(part);
            if (part instanceof LastHttpContent) {
                handler.requestSent();
            }
        }
    }

    /** Whether the upstream takes more. */
    final boolean isWritable() {
        return channel == null || channel.isWritable();
    }

    /** The parts of the request that there are for now have been written. */
    final void flush() {
        if (channel != null) {
            channel.flush();
        }
    }

    /** The caller takes more of the answer, or less. */
    final void callerWritabilityChanged(boolean isWritable) {
        if (channel != null) {
            channel.config().setAutoRead(isWritable);
        }
    }

    /** Ends the exchange without an answer of the upstream, or without the rest of it. */
    final void end() {
        isOver = true;
        if (channel != null) {
            channel = null;
            handler.abandon();
        }
        release();
    }

    /** Lets go of what has been kept of the request. */
    protected void release() {}

    /** Whether the request is with the upstream as a whole. */
    boolean isRequestSent() {
        return caller.isRequestRead();
    }

    final void answer(HttpResponse head) {
        caller.answer(head);
    }

    final void answer(HttpContent part) {
        if (part instanceof LastHttpContent) {
            channel = null;
            isOver = true;
        }
        caller.answer(part);
    }

    final void flushAnswer() {
        caller.flush();
    }

    final void upstreamWritabilityChanged() {
        caller.updateReading();
    }

    final void upstreamFailed(Throwable cause) {
        channel = null;
        isOver = true;
        release();
        caller.upstreamFailed(cause);
    }
}
