package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"requisite/internal/webhook"
)

// Webhooks says where webhooks may be sent; the api and the worker must agree on
// it.
type Webhooks struct{ ports, allow string }

// Bind adds the flags of the settings to a command.
func (w *Webhooks) Bind(flags *pflag.FlagSet) {
	defaults := make([]string, 0, 2)
	for _, p := range webhook.DefaultPorts() {
		defaults = append(defaults, strconv.Itoa(int(p)))
	}
	String(flags, &w.ports, "webhook-ports", "REQUISITE_WEBHOOK_PORTS", strings.Join(defaults, ","), "ports that a webhook's URL may have")
	String(flags, &w.allow, "webhook-allow", "REQUISITE_WEBHOOK_ALLOW", "",
		"networks, as 127.0.0.0/8,::1/128, that webhooks may be sent to although they are not public, on any port and over plain http; for development")
}

// Guard decides where webhooks go by these settings.
func (w *Webhooks) Guard() (*webhook.Guard, error) {
	var problems []error
	var ports []uint16
	for text := range strings.SplitSeq(w.ports, ",") {
		port, err := strconv.ParseUint(strings.TrimSpace(text), 10, 16)
		if err != nil || port == 0 {
			problems = append(problems, fmt.Errorf("--webhook-ports must list ports, such as 443,8443; %q is none", text))
		}
		ports = append(ports, uint16(port))
	}
	var networks []netip.Prefix
	for text := range strings.FieldsFuncSeq(w.allow, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("--webhook-allow must list networks, such as 127.0.0.0/8; %q is none", text))
		}
		networks = append(networks, network)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return webhook.NewGuard(ports, networks), nil
}

// Warn says so when addresses are open that are not public.
func (w *Webhooks) Warn(log *slog.Logger) {
	if w.allow != "" {
		log.Warn("webhooks may be sent to addresses that are not public, over plain http too", "networks", w.allow)
	}
}
