package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"time"

	"github.com/go-sql-driver/mysql"
)

// reopenInterval lies between two attempts to open a connection, and between two looks at idle ones.
const reopenInterval = 500 * time.Millisecond

var errNoConnection = errors.New("no connection in time")

// pool has a fixed number of sessions, which it opens in the background and replaces where they are lost.
//
// The pool of database/sql opens connections when they are needed, bounds no wait for one but by the
// context of the whole statement, and tests each that it hands out.
type pool struct {
	database *sql.DB
	timeout  time.Duration
	idle     chan *session
	stop     context.Context
	cancel   context.CancelFunc
	logger   *slog.Logger
}

// openPool returns at once; sessions come as the database lets them.
func openPool(config databaseConfig, logger *slog.Logger) (*pool, error) {
	connector, err := newConnector(config)
	if err != nil {
		return nil, err
	}
	database := sql.OpenDB(connector)
	database.SetMaxIdleConns(-1) // What a session gives up is closed, not kept.
	stop, cancel := context.WithCancel(context.Background())
	p := &pool{
		database: database,
		timeout:  config.timeout,
		idle:     make(chan *session, config.poolSize),
		stop:     stop,
		cancel:   cancel,
		logger:   logger,
	}
	for range config.poolSize {
		go p.open()
	}
	go p.watch()
	return p, nil
}

func newConnector(config databaseConfig) (driver.Connector, error) {
	settings := mysql.NewConfig()
	settings.User, settings.Passwd, settings.DBName = config.user, config.password, config.name
	settings.Net, settings.Addr = "tcp", config.address
	settings.Timeout, settings.ReadTimeout, settings.WriteTimeout = config.timeout, config.timeout, config.timeout
	settings.ClientFoundRows = true
	// Said in the log-in, it needs no statement of its own; columns are compared by their own collation.
	settings.Collation = "utf8mb4_general_ci"
	settings.Logger = &mysql.NopLogger{} // Its lines would come beside those of the requests that fail.
	return mysql.NewConnector(settings)
}

// use lends a session, which is given back before it returns.
func (p *pool) use(ctx context.Context, work func(*session) error) error {
	s, err := p.take(ctx)
	if err != nil {
		return err
	}
	err = work(s)
	if isLost(err) {
		p.replace(s)
	} else {
		p.idle <- s
	}
	return err
}

func (p *pool) take(ctx context.Context) (*session, error) {
	select {
	case s := <-p.idle:
		return s, nil
	default:
	}
	wait := time.NewTimer(p.timeout)
	defer wait.Stop()
	select {
	case s := <-p.idle:
		return s, nil
	case <-wait.C:
		return nil, errNoConnection
	case <-ctx.Done():
		return nil, errCallerGone
	}
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
			p.idle <- s
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
	// The whole of it: the driver's own limit is for each of its parts.
	ctx, cancel := context.WithTimeout(p.stop, p.timeout)
	defer cancel()
	connection, err := p.database.Conn(ctx)
	return &session{connection: connection}, err
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
	for range len(p.idle) {
		select {
		case s := <-p.idle:
			if s.isOpen() {
				p.idle <- s
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
		case s := <-p.idle:
			s.close()
		default:
			_ = p.database.Close()
			return
		}
	}
}
