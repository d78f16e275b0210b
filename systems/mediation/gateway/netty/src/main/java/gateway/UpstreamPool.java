package gateway;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The connections of one event loop. Those of HTTP/1.1 serve one exchange at a time, those of
 * HTTP/2 as many as the upstream allows.
 */
final class UpstreamPool {

    private final Upstream upstream;
    private final EventLoop loop;
    private final AwaitedAnswers answers;
    private final Deque<Channel> idle = new ArrayDeque<>();
    private final List<Shared> shared = new ArrayList<>();
    private final Deque<Promise<Channel>> waiting = new ArrayDeque<>();
    private int connecting;

    /** Whether a new connection is likely to serve many; else each one who waits needs its own. */
    private boolean isHttp2;

    private record Shared(
            Channel channel, Http2Connection connection, Http2StreamChannelBootstrap streams) {

        boolean hasRoom() {
            return channel.isActive()
                    && !connection.goAwayReceived()
                    && !connection.goAwaySent()
                    && connection.local().canOpenStream();
        }
    }

    UpstreamPool(Upstream upstream, EventLoop loop, boolean isHttp2) {
        this.upstream = upstream;
        this.loop = loop;
        this.answers = new AwaitedAnswers(loop);
        this.isHttp2 = isHttp2;
    }

    AwaitedAnswers answers() {
        return answers;
    }

    /** Gives an idle connection, the warmest first, or a stream, or else what there will be. */
    Future<Channel> take() {
        Channel rested = pollIdle();
        if (rested != null) {
            return loop.newSucceededFuture(rested);
        }
        Promise<Channel> promise = loop.newPromise();
        waiting.add(promise);
        serveWaiting();
        return promise;
    }

    /** Gives an idle connection; null: there is none. */
    Channel pollIdle() {
        for (Channel channel; (channel = idle.pollFirst()) != null; ) {
            if (channel.isActive()) {
                return channel;
            }
        }
        return null;
    }

    /** Takes back what serves no exchange any more. */
    void giveBack(Channel channel) {
        if (channel.parent() == null) {
            idle.addFirst(channel);
        } else {
            channel.close(); // a stream serves but one
        }
    }

    void forget(Channel channel) {
        idle.remove(channel);
    }

    private void serveWaiting() {
        Shared connection;
        while (!waiting.isEmpty() && (connection = findRoom()) != null) {
            open(connection, waiting.poll());
        }
        int needed = isHttp2 ? Math.min(1, waiting.size()) : waiting.size();
        while (connecting < needed) {
            connecting++;
            Future<Channel> opening = upstream.open(loop);
            opening.addListener(done -> opened(opening));
        }
    }

    private Shared findRoom() {
        for (Shared each : shared) {
            if (each.hasRoom()) {
                return each;
            }
        }
        return null;
    }

    private static void open(Shared connection, Promise<Channel> promise) {
        connection
                .streams()
                .open()
                .addListener(
                        done -> {
                            if (done.isSuccess()) {
                                promise.setSuccess((Channel) done.getNow());
                            } else {
                                promise.setFailure(done.cause());
                            }
                        });
    }

    private void opened(Future<Channel> opening) {
        connecting--;
        if (!opening.isSuccess()) {
            fail(isHttp2 ? waiting.size() : Math.min(1, waiting.size()), opening.cause());
        } else {
            add(opening.getNow());
        }
        serveWaiting();
    }

    private void fail(int count, Throwable cause) {
        for (int each = 0; each < count; each++) {
            waiting.poll().setFailure(cause);
        }
    }

    private void add(Channel channel) {
        var codec = channel.pipeline().get(Http2FrameCodec.class);
        isHttp2 = codec != null;
        if (isHttp2) {
            var streams =
                    new Http2StreamChannelBootstrap(channel).handler(upstream.streamHandler());
            var connection = new Shared(channel, codec.connection(), streams);
            shared.add(connection);
            channel.closeFuture().addListener(done -> shared.remove(connection));
        } else if (waiting.isEmpty()) {
            idle.addFirst(channel);
        } else {
            waiting.poll().setSuccess(channel);
        }
    }
}
