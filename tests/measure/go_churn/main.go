// Churn allocates for a while, collects on request, and says what Go itself counts of it.
package main

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

var live [2048][]byte

// Arguments: objects to allocate, collections to ask for.
func main() {
	objects, _ := strconv.Atoi(os.Args[1])
	forced, _ := strconv.Atoi(os.Args[2])
	for range forced {
		runtime.GC()
	}
	for range objects {
		live[rand.Intn(len(live))] = make([]byte, rand.Intn(8192))
	}
	debug.SetGCPercent(-1) // Waits for a collection that goes on, and no other begins.
	var counted runtime.MemStats
	runtime.ReadMemStats(&counted)
	fmt.Printf("counted\t%d\t%d\n", counted.NumGC, counted.PauseTotalNs)
	time.Sleep(time.Minute)
}
