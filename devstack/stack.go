package main

import (
	"context"
	"errors"
	"fmt"
)

// stack is the running parts. A part that has not been started is nil; stop skips it.
type stack struct {
	options options
	events  *eventStream
	log     *stackLog

	ports    stackPorts
	database *database
	temporal *temporalServer
	ui       *uiServer
}

// start starts the parts in order, each on top of the previous ones. If it fails, stop stops those that are running.
func (s *stack) start(ctx context.Context) (err error) {
	if s.ports, err = holdPorts(s.options); err != nil {
		return err
	}
	if s.database, err = openDatabase(ctx, s.options, s.events.progress); err != nil {
		return err
	}
	if err := createMissing(ctx, s.database, s.log, s.events.progress); err != nil {
		return err
	}
	if err := s.database.claimStore(ctx); err != nil {
		return err
	}
	if err := upgradeOutdated(s.database, s.log, s.events.progress); err != nil {
		return err
	}
	if err := prepareNamespace(ctx, s.database, s.options, s.log); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.events.progress("starting Temporal")
	if s.temporal, err = startTemporal(ctx, s.database, s.options, s.ports, s.log); err != nil {
		return err
	}
	if s.options.noUI {
		return nil
	}
	s.events.progress("starting the Temporal UI")
	s.ui, err = startUI(ctx, s.temporal.address, s.ports.ui.Number(), s.options)
	return err
}

func (s *stack) endpoints() endpoints {
	e := endpoints{
		DatabaseURL:     s.database.url.String(),
		TemporalAddress: s.temporal.address,
		Namespace:       s.options.namespace,
	}
	if s.ui != nil {
		e.TemporalUIURL = s.ui.url
	}
	return e
}

// wait returns when the context ends, or with an error when PostgreSQL ends unexpectedly.
func (s *stack) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.database.ended():
		return errors.New("PostgreSQL ended unexpectedly; its log says why")
	}
}

// stop stops the parts in reverse order, and waits for them.
func (s *stack) stop() error {
	var errs []error
	if s.ui != nil {
		s.ui.stop()
	}
	if s.temporal != nil {
		if err := s.temporal.stop(); err != nil {
			errs = append(errs, fmt.Errorf("stop Temporal: %w", err))
		}
	}
	if s.database != nil {
		errs = append(errs, s.database.close())
	}
	errs = append(errs, s.ports.release())
	return errors.Join(errs...)
}
