// A server of net/http for the conformance tests, on one free port for each protocol.
//
// Its only argument is the folder with server.pem and server.key; its only line of output is a JSON
// object from protocol to port.
package main

import (
	"crypto/tls"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	folder := os.Args[1]
	certificate, err := tls.LoadX509KeyPair(
		filepath.Join(folder, "server.pem"), filepath.Join(folder, "server.key"))
	if err != nil {
		log.Fatal(err)
	}
	ports := map[string]int{}
	for _, protocol := range []string{"h1c", "h1", "h2c", "h2"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		ports[protocol] = listener.Addr().(*net.TCPAddr).Port
		go serve(listener, protocol, certificate)
	}
	if err := json.NewEncoder(os.Stdout).Encode(ports); err != nil {
		log.Fatal(err)
	}
	select {}
}

func serve(listener net.Listener, protocol string, certificate tls.Certificate) {
	// Exactly one protocol a port, so that a mismatch is refused instead of negotiated away.
	protocols := new(http.Protocols)
	protocols.SetHTTP1(protocol == "h1c" || protocol == "h1")
	protocols.SetHTTP2(protocol == "h2")
	protocols.SetUnencryptedHTTP2(protocol == "h2c")
	server := &http.Server{
		Handler:   routes(),
		Protocols: protocols,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
	}
	if protocol == "h1" || protocol == "h2" {
		log.Fatal(server.ServeTLS(listener, "", ""))
	}
	log.Fatal(server.Serve(listener))
}
