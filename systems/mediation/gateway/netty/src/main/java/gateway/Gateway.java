package gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The gateway's server: one event loop for each CPU, listening on loopback. */
final class Gateway {

    /** Above the users of any workload, so that none is refused while the event loop is busy. */
    private static final int BACKLOG = 1024;

    /** Longer than any pause between two requests of a load. */
    private static final int IDLE_TIMEOUT_SECONDS = 60;

    private final InFlight inFlight;
    private final Channel server;

    private Gateway(Channel server, InFlight inFlight) {
        this.server = server;
        this.inFlight = inFlight;
    }

    /** Listens. Throws IOException where the port cannot be had. */
    static Gateway listen(Config config) throws IOException {
        var pool =
                new UpstreamPool(
                        new InetSocketAddress(config.upstreamHost(), config.upstreamPort()));
        var inFlight = new InFlight();
        int threads = Runtime.getRuntime().availableProcessors();
        ChannelFuture listening =
                new ServerBootstrap()
                        .group(new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory()))
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new IdleStateHandler(
                                                                0, 0, IDLE_TIMEOUT_SECONDS))
                                                .addLast(new HttpServerCodec())
                                                .addLast(
                                                        new ClientHandler(
                                                                pool,
                                                                config.upstreamAuthority(),
                                                                inFlight));
                                    }
                                })
                        .bind("127.0.0.1", config.port())
                        .awaitUninterruptibly();
        if (!listening.isSuccess()) {
            throw new IOException("cannot listen: " + listening.cause().getMessage());
        }
        return new Gateway(listening.channel(), inFlight);
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Accepts no more, and lets requests in flight end, for at most so long. */
    void stop(long graceMillis) throws InterruptedException {
        server.close().awaitUninterruptibly();
        inFlight.stop(graceMillis);
    }
}
