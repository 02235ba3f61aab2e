package main

import (
	"errors"
	"fmt"
	"os"

	"go.temporal.io/server/common/log"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// stackLog is the structured log of all parts, one JSON object on each line.
type stackLog struct {
	log.Logger
	file *os.File
}

// openLog opens the log. It appends to a file, readable only by its owner, or writes to standard error. A part that logs at
// the fatal level ends the process, after an event with the reason.
func openLog(path string, level zapcore.Level, errorOutput *os.File, events *eventStream) (*stackLog, error) {
	l := &stackLog{}
	sink := errorOutput
	if path != "" {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open the log: %w", err)
		}
		l.file, sink = file, file
	}
	core := zapcore.NewCore(zapcore.NewJSONEncoder(log.DefaultZapEncoderConfig), zapcore.Lock(sink), level)
	l.Logger = log.NewZapLogger(zap.New(core, zap.WithFatalHook(reportAndExit{events})))
	return l, nil
}

func (l *stackLog) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

// reportAndExit reports a fatal log entry to the parent, and ends the process.
type reportAndExit struct{ events *eventStream }

func (e reportAndExit) OnWrite(entry *zapcore.CheckedEntry, fields []zapcore.Field) {
	encoded := zapcore.NewMapObjectEncoder()
	for _, field := range fields {
		field.AddTo(encoded)
	}
	reason := entry.Message
	if cause, ok := encoded.Fields["error"]; ok {
		reason = fmt.Sprintf("%s: %v", reason, cause)
	}
	e.events.failed(errors.New(reason))
	os.Exit(1)
}
