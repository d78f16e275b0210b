package loadstone.booking;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection to the database whose server sends no byte for too long while a statement
 * waits for its result. All methods are called on the connection's event loop.
 */
final class ReadLimit extends ChannelInboundHandlerAdapter {

    private final long limitNanos;

    private ChannelHandlerContext context;
    private boolean isWaiting;
    private boolean isScheduled;
    private long sinceNanos;

    ReadLimit(long limitMillis) {
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /** A statement is about to be sent. */
    void begin() {
        isWaiting = true;
        sinceNanos = System.nanoTime();
        if (!isScheduled) {
            schedule(limitNanos);
        }
    }

    /** Its result is there. */
    void end() {
        isWaiting = false;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext own, Object message) {
        sinceNanos = System.nanoTime();
        own.fireChannelRead(message);
    }

    private void schedule(long nanos) {
        isScheduled = true;
        context.executor().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    /** One check is due at a time, so that a statement costs no timer of its own. */
    private void check() {
        isScheduled = false;
        if (!isWaiting) {
            return;
        }
        long left = limitNanos - (System.nanoTime() - sinceNanos);
        if (left > 0) {
            schedule(left);
        } else {
            context.close();
        }
    }
}
