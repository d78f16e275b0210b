package gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The client of the upstream leg: makes connections, of each event loop its own. */
final class Upstream {

    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    /** As long as for connections of callers. */
    private static final int IDLE_TIMEOUT_SECONDS = 60;

    private final InetSocketAddress address;
    private final String host;
    private final String authority;
    private final Protocol protocol;
    private final SslContext tls;
    private final Transport transport;

    /** No exchange changes its thread. */
    private final FastThreadLocal<UpstreamPool> pools = new FastThreadLocal<>();

    Upstream(Config config, Transport transport) {
        address = new InetSocketAddress(config.upstreamHost(), config.upstreamPort());
        host = config.upstreamHost();
        authority = config.upstreamAuthority();
        protocol = config.upstreamProtocol();
        tls = Tls.forUpstream(config);
        this.transport = transport;
    }

    String authority() {
        return authority;
    }

    /** Gives a connection, or a stream of one, to be used on this event loop, which calls. */
    Future<Channel> connect(EventLoop loop) {
        return pool(loop).take();
    }

    /** The pool of the event loop, which calls. */
    UpstreamPool pool(EventLoop loop) {
        UpstreamPool pool = pools.get();
        if (pool == null) {
            pool = new UpstreamPool(this, loop, protocol.mayBeHttp2());
            pools.set(pool);
        }
        return pool;
    }

    /** Takes back a connection on which the next request can be sent. */
    void giveBack(Channel channel) {
        pool(channel.eventLoop()).giveBack(channel);
    }

    /**
     * Fails what has waited too long for the head of its answer; this request was sent just now.
     */
    void await(UpstreamHandler sent, EventLoop loop) {
        pool(loop).answers().await(sent);
    }

    /** The head of the answer is there, or will not come. */
    void settle(UpstreamHandler sent, EventLoop loop) {
        pool(loop).answers().settle(sent);
    }

    /** Forgets a connection that has ended while it was idle. */
    void forget(Channel channel) {
        pool(channel.eventLoop()).forget(channel);
    }

    /** Makes a connection; it is ready once both sides have agreed on everything. */
    Future<Channel> open(EventLoop loop) {
        Promise<Channel> ready = loop.newPromise();
        ChannelFuture connecting =
                new Bootstrap()
                        .group(loop)
                        .channelFactory(transport.connections())
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(new IdleStateHandler(0, 0, IDLE_TIMEOUT_SECONDS))
                        .connect(address);
        connecting.addListener(
                done -> {
                    if (!done.isSuccess()) {
                        ready.tryFailure(done.cause());
                    } else if (tls != null) {
                        shakeHands(connecting.channel(), ready);
                    } else {
                        agreed(connecting.channel(), protocol == Protocol.H2C, ready);
                    }
                });
        var late =
                loop.schedule(
                        () -> ready.tryFailure(new IOException("no connection in time")),
                        CONNECT_TIMEOUT_MILLIS,
                        TimeUnit.MILLISECONDS);
        ready.addListener(
                done -> {
                    late.cancel(false);
                    if (!done.isSuccess()) {
                        connecting.channel().close();
                    }
                });
        return ready;
    }

    private void shakeHands(Channel channel, Promise<Channel> ready) {
        SslHandler handler = tls.newHandler(channel.alloc(), host, address.getPort());
        channel.pipeline().addLast(handler);
        handler.handshakeFuture()
                .addListener(
                        done -> {
                            boolean isHttp2 =
                                    ApplicationProtocolNames.HTTP_2.equals(
                                            handler.applicationProtocol());
                            if (!done.isSuccess()) {
                                ready.tryFailure(done.cause());
                            } else if (protocol == Protocol.H2 && !isHttp2) {
                                ready.tryFailure(new IOException("it does not agree to h2"));
                            } else {
                                agreed(channel, isHttp2, ready);
                            }
                        });
    }

    private void agreed(Channel channel, boolean isHttp2, Promise<Channel> ready) {
        if (isHttp2) {
            Http2.call(channel.pipeline(), ready);
        } else {
            channel.pipeline().addLast(new HttpClientCodec(), new UpstreamHandler(this));
            ready.trySuccess(channel);
        }
    }

    /** The handlers of one exchange's stream. */
    ChannelHandler streamHandler() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(
                                new Http2StreamFrameToHttpObjectCodec(false),
                                new UpstreamHandler(Upstream.this));
            }
        };
    }
}
