package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// connectLimit bounds the making of a connection, with the log-in.
	connectLimit = time.Second
	// reopenInterval lies between two attempts to open a connection, and between two looks at idle ones.
	reopenInterval = 500 * time.Millisecond
)

var errNoConnection = errors.New("no connection in time")

// pool has a fixed number of sessions, which it opens in the background and replaces where they are lost.
//
// pgxpool opens connections for the callers that need one, does not look whether idle ones are lost, and
// counts one that it gives up as gone before it is.
type pool struct {
	settings *pgx.ConnConfig
	wait     time.Duration
	// available has as many values as there are idle sessions.
	available chan struct{}
	mutex     sync.Mutex
	// idle has the one that was given back last at its end: it is lent first, as pgxpool does.
	idle   []*session
	stop   context.Context
	cancel context.CancelFunc
	logger *slog.Logger
}

// openPool returns at once; sessions come as the database lets them.
func openPool(config databaseConfig, logger *slog.Logger) (*pool, error) {
	settings, err := pgx.ParseConfig("sslmode=disable")
	if err != nil {
		return nil, err
	}
	settings.Host, settings.Port, settings.Database = config.host, config.port, config.name
	settings.User, settings.Password = config.user, config.password
	// What else the environment of libpq says is not part of the configuration.
	settings.Fallbacks, settings.RuntimeParams = nil, nil
	stop, cancel := context.WithCancel(context.Background())
	p := &pool{
		settings:  settings,
		wait:      config.poolWait,
		available: make(chan struct{}, config.poolSize),
		stop:      stop,
		cancel:    cancel,
		logger:    logger,
	}
	for range config.poolSize {
		go p.open()
	}
	go p.watch()
	return p, nil
}

// use lends a session for work, and has it back when it returns. Work whose transaction met a rival is done
// once more. The error is a problem, or that of a caller who went away.
func use[T any](ctx context.Context, p *pool, work func(*session) (T, error)) (T, error) {
	s, err := p.take(ctx)
	if err != nil {
		var nothing T
		return nothing, err
	}
	defer p.giveBack(s)
	result, err := work(s)
	if isRivalry(err) {
		result, err = work(s)
	}
	return result, asProblem(err, s.isLost())
}

// transact is use for work that is one transaction.
func transact[T any](ctx context.Context, p *pool, work func(*session) (T, error)) (T, error) {
	return use(ctx, p, func(s *session) (T, error) {
		var result T
		err := s.transact(func() (err error) {
			result, err = work(s)
			return err
		})
		return result, err
	})
}

func (p *pool) take(ctx context.Context) (*session, error) {
	select {
	case <-p.available:
		return p.last(), nil
	default:
	}
	wait := time.NewTimer(p.wait)
	defer wait.Stop()
	select {
	case <-p.available:
		return p.last(), nil
	case <-wait.C:
		return nil, unavailable(errNoConnection)
	case <-ctx.Done():
		return nil, errCallerGone
	}
}

func (p *pool) giveBack(s *session) {
	if s.isLost() {
		p.replace(s)
	} else {
		p.keep(s)
	}
}

// keep lets a session be lent.
func (p *pool) keep(s *session) {
	p.mutex.Lock()
	p.idle = append(p.idle, s)
	p.mutex.Unlock()
	p.available <- struct{}{}
}

// last takes the idle session that was used last; there is one for whoever has a value of available.
func (p *pool) last() *session { return p.remove(func(count int) int { return count - 1 }) }

// first takes the idle session that has not been used for longest.
func (p *pool) first() *session { return p.remove(func(int) int { return 0 }) }

func (p *pool) remove(place func(count int) int) *session {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at := place(len(p.idle))
	s := p.idle[at]
	p.idle = slices.Delete(p.idle, at, at+1)
	return s
}

// replace closes a session that is lost before another one is opened: there are never too many.
func (p *pool) replace(s *session) {
	s.close()
	go p.open()
}

// open tries until a session is open, or the pool is closed.
func (p *pool) open() {
	for {
		s, err := p.connect()
		if err == nil {
			p.keep(s)
			return
		}
		p.logger.Debug("cannot connect to the database", "error", err)
		select {
		case <-p.stop.Done():
			return
		case <-time.After(reopenInterval):
		}
	}
}

func (p *pool) connect() (*session, error) {
	ctx, cancel := context.WithTimeout(p.stop, connectLimit)
	defer cancel()
	connection, err := pgx.ConnectConfig(ctx, p.settings)
	return &session{connection}, err
}

// watch finds sessions that are lost while nobody uses them.
func (p *pool) watch() {
	ticker := time.NewTicker(reopenInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop.Done():
			return
		case <-ticker.C:
			p.look()
		}
	}
}

// look goes once through the idle sessions, one by one, so that the others can be lent meanwhile.
func (p *pool) look() {
	for range len(p.available) {
		select {
		case <-p.available:
			s := p.first()
			if s.isOpen() {
				p.keep(s)
			} else {
				p.replace(s)
			}
		default:
			return
		}
	}
}

// close ends the opening of sessions, and closes those that are idle.
func (p *pool) close() {
	p.cancel()
	for {
		select {
		case <-p.available:
			p.last().close()
		default:
			return
		}
	}
}
