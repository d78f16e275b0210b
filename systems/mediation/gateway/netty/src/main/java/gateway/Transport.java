package gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** What event loops and sockets are made of. */
record Transport(
        IoHandlerFactory loops,
        ChannelFactory<? extends ServerChannel> listeners,
        ChannelFactory<? extends Channel> connections) {

    /** Netty's own epoll where its native library can be loaded, else that of the JVM. */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        EpollIoHandler.newFactory(),
                        EpollServerSocketChannel::new,
                        EpollSocketChannel::new)
                : new Transport(
                        NioIoHandler.newFactory(),
                        NioServerSocketChannel::new,
                        NioSocketChannel::new);
    }
}
