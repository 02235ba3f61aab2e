package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"requisite/internal/webhooks/webhook"
)

// Webhooks says where webhooks may be sent. The api and the worker must have the
// same values.
type Webhooks struct{ ports, allow string }

// Bind adds the flags of the settings to a command.
func (w *Webhooks) Bind(flags *pflag.FlagSet) {
	defaults := make([]string, 0, 2)
	for _, p := range webhook.DefaultPorts() {
		defaults = append(defaults, strconv.Itoa(int(p)))
	}
	String(flags, &w.ports, "webhook-ports", "REQUISITE_WEBHOOK_PORTS", strings.Join(defaults, ","), "ports that a webhook URL may have")
	String(flags, &w.allow, "webhook-allow", "REQUISITE_WEBHOOK_ALLOW", "",
		"networks that are not public and that webhooks may be sent to all the same, on any port and over plain http, such as 127.0.0.0/8,::1/128; for development")
}

// Guard returns the guard that enforces these settings.
func (w *Webhooks) Guard() (*webhook.Guard, error) {
	var problems []error
	var ports []uint16
	for text := range strings.SplitSeq(w.ports, ",") {
		port, err := strconv.ParseUint(strings.TrimSpace(text), 10, 16)
		if err != nil || port == 0 {
			problems = append(problems, fmt.Errorf("--webhook-ports must list ports, such as 443,8443; %q is not one", text))
		}
		ports = append(ports, uint16(port))
	}
	var networks []netip.Prefix
	for text := range strings.FieldsFuncSeq(w.allow, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("--webhook-allow must list networks, such as 127.0.0.0/8; %q is not one", text))
		}
		networks = append(networks, network)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return webhook.NewGuard(ports, networks), nil
}

// Warn logs a warning when webhooks may be sent to addresses that are not public.
func (w *Webhooks) Warn(log *slog.Logger) {
	if w.allow != "" {
		log.Warn("webhooks may be sent to addresses that are not public, over plain http too", "networks", w.allow)
	}
}
