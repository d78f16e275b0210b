package gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.FastThreadLocal;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/** Idle connections to the upstream, of each event loop its own: no exchange changes its thread. */
final class UpstreamPool {

    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    /** The wait for the head of an answer, as long as the published gateways waited. */
    private static final int ANSWER_TIMEOUT_SECONDS = 30;

    private final InetSocketAddress address;
    private final FastThreadLocal<Deque<Channel>> idle =
            new FastThreadLocal<>() {
                @Override
                protected Deque<Channel> initialValue() {
                    return new ArrayDeque<>();
                }
            };

    UpstreamPool(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Gives an idle connection of the calling event loop, the warmest first; null: there is none.
     */
    Channel poll() {
        Deque<Channel> mine = idle.get();
        Channel channel;
        while ((channel = mine.pollFirst()) != null) {
            if (channel.isActive()) {
                return channel;
            }
        }
        return null;
    }

    /** Takes back a connection on which the next request can be sent. */
    void giveBack(Channel channel) {
        idle.get().addFirst(channel);
    }

    /** Forgets a connection that has ended while it was idle. */
    void forget(Channel channel) {
        idle.get().remove(channel);
    }

    ChannelFuture connect(EventLoop loop) {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(
                        new ChannelInitializer<SocketChannel>() {
                            @Override
                            protected void initChannel(SocketChannel channel) {
                                channel.pipeline()
                                        .addLast(new IdleStateHandler(0, 0, ANSWER_TIMEOUT_SECONDS))
                                        .addLast(new HttpClientCodec())
                                        .addLast(new UpstreamHandler(UpstreamPool.this));
                            }
                        })
                .connect(address);
    }
}
