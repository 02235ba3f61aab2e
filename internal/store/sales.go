package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// CreateSalesInfo adds the sales info of a business, which may have only one. If replaces is not
// zero, it first removes that record with all its amounts. Every amount must be in the account's
// currency.
func (r Businesses) CreateSalesInfo(
	ctx context.Context,
	businessID id.BusinessID, replaces id.SalesInfoID,
	amounts []domain.SalesAmount,
) (domain.SalesInfo, error) {
	b, err := r.locked(ctx, businessID)
	if err != nil {
		return domain.SalesInfo{}, err
	}
	if !replaces.IsZero() {
		switch tag, err := r.q.Exec(ctx, `DELETE FROM sales_info WHERE id = $1 AND business_id = $2`, replaces.NullUUID(), b.ID); {
		case err != nil:
			return domain.SalesInfo{}, fmt.Errorf("remove the sales info that is replaced: %w", err)
		case tag.RowsAffected() == 0:
			return domain.SalesInfo{}, refusal.NotFound(refusal.EntitySalesInfo, replaces.String())
		}
	}
	if err := r.inCurrency(ctx, b, amounts); err != nil {
		return domain.SalesInfo{}, err
	}
	info := domain.SalesInfo{ID: r.newID(), Amounts: amounts}
	tag, err := r.q.Exec(ctx, `INSERT INTO sales_info (id, business_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (business_id) DO NOTHING`,
		info.ID, b.ID, r.at)
	switch {
	case err != nil:
		return domain.SalesInfo{}, fmt.Errorf("create sales info: %w", err)
	case tag.RowsAffected() == 0:
		return domain.SalesInfo{}, refusal.Rule(refusal.EntitySalesInfo, businessID.String(), refusal.SalesInfoExists,
			"The business has sales info already: name it in replaces, or remove it with business.salesInfo.delete first.")
	}
	batch := &pgx.Batch{}
	insertAmounts(batch, info)
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return domain.SalesInfo{}, err
	}
	return info, r.touch(ctx, b.ID)
}

// insertSales writes the sales info of a business without one.
func (r Businesses) insertSales(batch *pgx.Batch, businessID id.UUID, info domain.SalesInfo) {
	batch.Queue(`INSERT INTO sales_info (id, business_id, created_at) VALUES ($1, $2, $3)`, info.ID, businessID, r.at)
	insertAmounts(batch, info)
}

func insertAmounts(batch *pgx.Batch, info domain.SalesInfo) {
	for i, amount := range info.Amounts {
		batch.Queue(`INSERT INTO sales_amount (sales_info_id, type, value, currency, position) VALUES ($1, $2, $3::bigint / 100.0, $4, $5)`,
			info.ID, amount.Type, amount.Hundredths, amount.Currency, i)
	}
}

// CheckSalesInfo refuses what CreateSalesInfo would refuse. But an existing record that is not
// replaced is only a warning, because a caller may delete it after the check. It writes nothing and
// takes no locks.
func (r Businesses) CheckSalesInfo(
	ctx context.Context,
	businessID id.BusinessID, replaces id.SalesInfoID,
	amounts []domain.SalesAmount,
) ([]refusal.Warning, error) {
	b, err := r.Get(ctx, businessID)
	if err != nil {
		return nil, err
	}
	existing, err := r.SalesInfo(ctx, b)
	if err != nil {
		return nil, err
	}
	if !replaces.IsZero() && (existing == nil || existing.WireID() != replaces) {
		return nil, refusal.NotFound(refusal.EntitySalesInfo, replaces.String())
	}
	if err := r.inCurrency(ctx, b, amounts); err != nil {
		return nil, err
	}
	if existing == nil || !replaces.IsZero() {
		return nil, nil
	}
	return []refusal.Warning{{
		Code:    refusal.WarningCode(refusal.SalesInfoExists),
		Message: "The business has sales info already: name it in replaces, or remove it with business.salesInfo.delete before you create this.",
	}}, nil
}

// inCurrency refuses amounts that are not in the account's currency.
func (r Businesses) inCurrency(ctx context.Context, b domain.Business, amounts []domain.SalesAmount) error {
	account, err := r.tenants().Get(ctx, r.scope.Environment.Account(b.AccountID))
	if err != nil {
		return err
	}
	if problems := otherCurrencies(account, amounts); len(problems) > 0 {
		return refusal.Fields(problems...)
	}
	return nil
}

func otherCurrencies(account domain.Account, amounts []domain.SalesAmount) (problems []refusal.Field) {
	for i, amount := range amounts {
		if amount.Currency != account.Currency {
			problems = append(problems, refusal.NotOneOf([]string{account.Currency}, account.Currency,
				"This must be the account's currency, %s.", account.Currency).At(fmt.Sprintf("sales_info.sales_amount[%d].currency", i)))
		}
	}
	return problems
}

// DeleteSalesInfo removes a sales info record.
func (r Businesses) DeleteSalesInfo(ctx context.Context, wireID id.SalesInfoID) error {
	type row struct{ BusinessID, AccountID id.UUID }
	found, err := find[row](ctx, r.unit, refusal.EntitySalesInfo, wireID, `
		SELECT s.business_id, b.account_id FROM sales_info s JOIN business b ON b.id = s.business_id JOIN account a ON a.id = b.account_id
		WHERE s.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return err
	}
	r.noteAccount(found.AccountID)
	if err := r.touch(ctx, found.BusinessID); err != nil {
		return err
	}
	tag, err := r.q.Exec(ctx, `DELETE FROM sales_info WHERE id = $1`, wireID.UUID)
	switch {
	case err != nil:
		return fmt.Errorf("delete sales info: %w", err)
	case tag.RowsAffected() == 0: // a concurrent request deleted it
		return refusal.NotFound(refusal.EntitySalesInfo, wireID.String())
	}
	return nil
}

// SalesInfo finds the sales info of a business. It is nil if there is none.
func (r Businesses) SalesInfo(ctx context.Context, b domain.Business) (*domain.SalesInfo, error) {
	found, err := r.salesOf(ctx, []id.UUID{b.ID})
	return salesInfo(found[b.ID]), err
}

// salesOf reads the sales info of businesses.
func (r Businesses) salesOf(ctx context.Context, businesses []id.UUID) (map[id.UUID][]salesRow, error) {
	condition, of := among(businesses)
	rows, err := db.Many[salesRow](ctx, r.q, salesSQL(condition), of)
	if err != nil {
		return nil, fmt.Errorf("read sales info: %w", err)
	}
	found := map[id.UUID][]salesRow{}
	for _, row := range rows {
		found[row.BusinessID] = append(found[row.BusinessID], row)
	}
	return found, nil
}

// salesRow is one amount of a sales info record. A record without amounts has one row.
type salesRow struct {
	ID         id.UUID
	BusinessID id.UUID
	Type       *string
	Hundredths *rational.Decimal
	Currency   *string
}

// salesSQL reads the sales of businesses that meet a condition.
func salesSQL(condition string) string {
	return `
		SELECT s.id, s.business_id, m.type, (m.value * 100)::bigint AS hundredths, m.currency
		FROM sales_info s LEFT JOIN sales_amount m ON m.sales_info_id = s.id
		WHERE s.business_id ` + condition + ` ORDER BY m.position`
}

// one is the condition of a single id. Postgres plans a list of ids anew for each statement, which
// takes longer than reading the records of one id.
const one = `= $1`

// among is the condition, with its argument, that an id is in a list.
func among(ids []id.UUID) (condition string, of any) {
	if len(ids) == 1 {
		return one, ids[0]
	}
	return `= ANY ($1)`, ids
}

func salesInfo(rows []salesRow) *domain.SalesInfo {
	if len(rows) == 0 {
		return nil
	}
	info := &domain.SalesInfo{ID: rows[0].ID, Amounts: []domain.SalesAmount{}}
	for _, m := range rows {
		if m.Type != nil {
			info.Amounts = append(info.Amounts, domain.SalesAmount{Type: *m.Type, Hundredths: *m.Hundredths, Currency: *m.Currency})
		}
	}
	return info
}
