package gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;

/** Wires the gateway: one event loop for each CPU, listening on loopback. */
public final class Main {

    private static final int WRONG_VARIABLE = 2;
    private static final int CANNOT_LISTEN = 1;
    private static final int BACKLOG = 1024;
    private static final long GRACE_MILLIS = 5_000;

    private Main() {}

    /** Runs until it is told to stop. */
    public static void main(String[] arguments) throws InterruptedException {
        Config config;
        try {
            config = Config.read(System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(WRONG_VARIABLE);
            return;
        }
        var pool =
                new UpstreamPool(
                        new InetSocketAddress(config.upstreamHost(), config.upstreamPort()));
        var exchanges = new Exchanges();
        int threads = Runtime.getRuntime().availableProcessors();
        var loops = new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory());
        var listening =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(new HttpServerCodec())
                                                .addLast(
                                                        new ClientHandler(
                                                                pool,
                                                                config.upstreamAuthority(),
                                                                exchanges));
                                    }
                                })
                        .bind("127.0.0.1", config.port())
                        .awaitUninterruptibly();
        if (!listening.isSuccess()) {
            System.err.println("cannot listen: " + listening.cause().getMessage());
            System.exit(CANNOT_LISTEN);
        }
        Channel server = listening.channel();
        stopWhenTold(server, exchanges);
        System.out.println(
                "listening on 127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort());
        server.closeFuture().await();
    }

    private static void stopWhenTold(Channel server, Exchanges exchanges) {
        Thread stop =
                new Thread(
                        () -> {
                            server.close().awaitUninterruptibly();
                            try {
                                exchanges.stop(GRACE_MILLIS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            // The exit code of a signal would be 143, and all was done as it should be.
                            Runtime.getRuntime().halt(0);
                        });
        Runtime.getRuntime().addShutdownHook(stop);
    }
}
