package local

import (
	"context"
	"fmt"
	"sync"
	"time"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/webhooks/webhook"
	"requisite/starter/cli"
	"requisite/starter/progress"
	"requisite/starter/webhooks"
)

// webhookDemonstration takes the webhooks of the demonstration's events while it
// runs.
type webhookDemonstration struct {
	*webhooks.Receiver
	mu       sync.Mutex
	arrived  []webhook.Opened
	repeated int
	tested   chan struct{} // closed when the test event, requested last, has arrived
}

func receiveDemonstration(ctx context.Context, client *requisite.Client, accountID, keysFile string) (*webhookDemonstration, error) {
	d := &webhookDemonstration{tested: make(chan struct{})}
	d.Receiver = &webhooks.Receiver{
		Client: client, AccountID: accountID, KeysFile: keysFile,
		Took:    d.take,
		Refused: func(error) {}, // seen in the delivery's log
	}
	// Nothing else receives the webhooks of the demonstration's account.
	if _, err := d.PrepareKey(ctx, true); err != nil {
		return nil, fmt.Errorf("webhook key: %w", err)
	}
	if err := d.Start(ctx, "127.0.0.1:0", "", nil); err != nil {
		return nil, fmt.Errorf("webhook receiver: %w", err)
	}
	return d, nil
}

func (d *webhookDemonstration) take(w webhook.Opened, repeated bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if repeated {
		d.repeated++
		return
	}
	d.arrived = append(d.arrived, w)
	if w.EventType == string(domain.WebhookTest) {
		close(d.tested)
	}
}

// demonstrationPatience is how long to wait for the last webhook.
const demonstrationPatience = 20 * time.Second

// show requests one more event, waits for it and prints what has arrived.
func (d *webhookDemonstration) show(ctx context.Context, say *progress.Narrator) error {
	step := say.Begin("Receive the events as encrypted webhooks")
	if err := d.Test(ctx, string(domain.WebhookTest)); err != nil {
		return fmt.Errorf("send a test webhook: %w", err)
	}
	select {
	case <-d.tested:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(demonstrationPatience):
		step.Done("the test webhook has not arrived yet; `starter call webhook.delivery.list` tells why")
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	step.Done(fmt.Sprintf("%d arrived, verified and decrypted", len(d.arrived)))
	example := d.arrived[len(d.arrived)-1]
	for _, w := range d.arrived {
		if w.EventType == "REQUIRED_DOCUMENTS_CALCULATED" {
			example = w
		}
	}
	say.Line("  One of them, %s %s, encrypted with %s:", example.EventType, example.ID, example.KeyID)
	say.Line("%s", cli.Shortened(webhooks.Pretty(example.Payload), 14))
	return nil
}
