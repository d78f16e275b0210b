package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// The end of a body names its length, so that a wrong or cut body cannot pass for the right one.
func bodyOf(length int) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if length == 0 {
		return nil
	}
	marker := fmt.Sprintf("|end of %d bytes|", length)
	body := strings.Repeat(letters, length/len(letters)+1)[:length-len(marker)]
	return []byte(body + marker)
}

func number(request *http.Request) int {
	value, err := strconv.Atoi(request.PathValue("number"))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return value
}

func routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bytes/{number}", func(writer http.ResponseWriter, request *http.Request) {
		body := bodyOf(number(request))
		writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = writer.Write(body)
	})
	mux.HandleFunc("GET /chunked/{number}", func(writer http.ResponseWriter, request *http.Request) {
		body := bodyOf(number(request))
		// What is flushed before the end is known has no length.
		writer.(http.Flusher).Flush()
		_, _ = writer.Write(body)
	})
	mux.HandleFunc("GET /close/{number}", untilClose)
	mux.HandleFunc("GET /status/{number}", func(writer http.ResponseWriter, request *http.Request) {
		writer.WriteHeader(number(request))
	})
	mux.HandleFunc("POST /echo", func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = writer.Write(body)
	})
	return mux
}

func untilClose(writer http.ResponseWriter, request *http.Request) {
	body := bodyOf(number(request))
	connection, _, err := http.NewResponseController(writer).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
	if request.Method != http.MethodHead {
		_, _ = connection.Write(body)
	}
}
