package main

import (
	"net"
	"net/http"
	"sync"
)

// unused are the connections that nothing was on yet. Shutdown would wait 5 s for them.
type unused struct {
	mu          sync.Mutex
	isStopping  bool
	connections map[net.Conn]struct{}
}

// endUnused lets a server end such connections as soon as it stops.
func endUnused(server *http.Server) {
	u := &unused{connections: make(map[net.Conn]struct{})}
	server.ConnState = u.note
	server.RegisterOnShutdown(u.end)
}

func (u *unused) note(connection net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.connections, connection)
	case u.isStopping:
		connection.Close()
	default:
		u.connections[connection] = struct{}{}
	}
}

func (u *unused) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.isStopping = true
	for connection := range u.connections {
		connection.Close()
	}
}
